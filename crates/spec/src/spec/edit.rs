//! Building and changing a [`Spec`]: adding elements, finding them by name, deleting them.

use super::*;

/// Default class lookups and creation.
impl Spec {
    /// The class with this name; the empty name is the main class.
    pub fn find_default(&self, name: &str) -> Option<DefaultId> {
        if name.is_empty() {
            return Some(DefaultId(0));
        }
        self.defaults.iter().position(|class| class.name == name).map(DefaultId)
    }

    /// Adds a class below another one, as a copy of it. `None` when the name is taken.
    pub fn add_default(&mut self, name: &str, parent: DefaultId) -> Option<DefaultId> {
        if self.defaults.iter().any(|class| class.name == name) {
            return None;
        }
        let id = DefaultId(self.defaults.len());
        let mut class = self.defaults[parent.0].clone();
        class.name = name.to_owned();
        class.parent = Some(parent);
        class.children.clear();
        self.defaults.push(class);
        self.defaults[parent.0].children.push(id);
        Some(id)
    }

    /// Deletes a class with the classes below it; their elements then belong to the class around it and keep
    /// their values. The main class cannot be deleted.
    pub fn delete_default(&mut self, id: DefaultId) -> bool {
        let Some(parent) = self.defaults.get(id.0).and_then(|class| class.parent) else { return false };
        let mut gone = vec![id];
        let mut next = 0;
        while let Some(&class) = gone.get(next) {
            gone.extend(self.defaults[class.0].children.iter().copied());
            next += 1;
        }
        let heir = self.defaults[parent.0].name.clone();
        let names: Vec<String> = gone.iter().map(|class| self.defaults[class.0].name.clone()).collect();
        self.each_origin(|origin| {
            if names.contains(&origin.class) {
                origin.class.clone_from(&heir);
            }
        });
        // later classes move up
        let renumbered =
            |old: DefaultId| DefaultId(old.0 - gone.iter().filter(|other| other.0 < old.0).count());
        let classes = std::mem::take(&mut self.defaults).into_iter().enumerate();
        self.defaults =
            classes.filter(|(i, _)| !gone.contains(&DefaultId(*i))).map(|(_, class)| class).collect();
        for class in &mut self.defaults {
            class.parent = class.parent.map(renumbered);
            class.children.retain(|child| !gone.contains(child));
            class.children.iter_mut().for_each(|child| *child = renumbered(*child));
        }
        true
    }

    /// Renames a default class, also where elements, bodies and frames name it.
    pub fn rename_default(&mut self, id: DefaultId, name: &str) {
        let Some(class) = self.defaults.get_mut(id.0) else { return };
        let old = std::mem::replace(&mut class.name, name.to_owned());
        let rename = |text: &mut String| {
            if *text == old {
                name.clone_into(text);
            }
        };
        self.each_origin(|origin| rename(&mut origin.class));
        self.bodies.values_mut().for_each(|body| rename(&mut body.childclass));
        self.frames.values_mut().for_each(|frame| rename(&mut frame.childclass));
    }

    /// Calls `f` with where each element that has a class comes from.
    fn each_origin(&mut self, mut f: impl FnMut(&mut Origin)) {
        self.bodies.values_mut().for_each(|e| f(&mut e.origin));
        self.frames.values_mut().for_each(|e| f(&mut e.origin));
        self.joints.values_mut().for_each(|e| f(&mut e.origin));
        self.geoms.values_mut().for_each(|e| f(&mut e.origin));
        self.sites.values_mut().for_each(|e| f(&mut e.origin));
        self.cameras.values_mut().for_each(|e| f(&mut e.origin));
        self.lights.values_mut().for_each(|e| f(&mut e.origin));
        self.meshes.values_mut().for_each(|e| f(&mut e.origin));
        self.materials.values_mut().for_each(|e| f(&mut e.origin));
        self.pairs.values_mut().for_each(|e| f(&mut e.origin));
        self.equalities.values_mut().for_each(|e| f(&mut e.origin));
        self.tendons.values_mut().for_each(|e| f(&mut e.origin));
        self.actuators.values_mut().for_each(|e| f(&mut e.origin));
    }

    /// The class with this id.
    pub fn default_class(&self, id: DefaultId) -> &DefaultClass {
        &self.defaults[id.0]
    }
}

/// Generates `add_…` and `find_…` for elements that belong to a body.
macro_rules! body_children {
    ($($add:ident $find:ident $arena:ident $list:ident $ty:ty, $what:literal;)+) => {
        impl Spec {$(
            #[doc = concat!("Adds a ", $what, " at the end of the body's list.")]
            pub fn $add(&mut self, body: BodyId, mut element: $ty) -> Id<$ty> {
                element.body = body;
                let id = self.$arena.push(element);
                self.bodies[body].$list.push(id);
                id
            }

            #[doc = concat!("The ", $what, " with this name.")]
            pub fn $find(&self, name: &str) -> Option<Id<$ty>> {
                find_named(&self.$arena, name)
            }
        )+}
    };
}

body_children! {
    add_joint find_joint joints joints Joint, "joint";
    add_geom find_geom geoms geoms Geom, "geom";
    add_site find_site sites sites Site, "site";
    add_camera find_camera cameras cameras Camera, "camera";
    add_light find_light lights lights Light, "light";
    add_frame find_frame frames frames Frame, "frame";
}

/// Generates `add_…`, `find_…` and `delete_…` for elements in a global list.
macro_rules! global_elements {
    ($($add:ident $find:ident $delete:ident $arena:ident $ty:ty, $what:literal;)+) => {
        impl Spec {$(
            #[doc = concat!("Adds a ", $what, " at the end of the list.")]
            pub fn $add(&mut self, element: $ty) -> Id<$ty> {
                self.$arena.push(element)
            }

            #[doc = concat!("The ", $what, " with this name.")]
            pub fn $find(&self, name: &str) -> Option<Id<$ty>> {
                find_named(&self.$arena, name)
            }

            #[doc = concat!("Deletes the ", $what, "; references to it dangle until they are changed.")]
            pub fn $delete(&mut self, id: Id<$ty>) -> Option<$ty> {
                self.$arena.remove(id)
            }
        )+}
    };
}

global_elements! {
    add_flex find_flex delete_flex flexes Flex, "flex";
    add_mesh find_mesh delete_mesh meshes Mesh, "mesh";
    add_skin find_skin delete_skin skins Skin, "skin";
    add_hfield find_hfield delete_hfield hfields HField, "height field";
    add_texture find_texture delete_texture textures Texture, "texture";
    add_material find_material delete_material materials Material, "material";
    add_pair find_pair delete_pair pairs Pair, "contact pair";
    add_exclude find_exclude delete_exclude excludes Exclude, "excluded pair";
    add_equality find_equality delete_equality equalities Equality, "equality constraint";
    add_tendon find_tendon delete_tendon tendons Tendon, "tendon";
    add_actuator find_actuator delete_actuator actuators Actuator, "actuator";
    add_sensor find_sensor delete_sensor sensors Sensor, "sensor";
    add_numeric find_numeric delete_numeric numerics Numeric, "custom number";
    add_text find_text delete_text texts Text, "custom text";
    add_tuple find_tuple delete_tuple tuples Tuple, "custom tuple";
    add_key find_key delete_key keys Key, "keyframe";
    add_plugin find_plugin delete_plugin plugins Plugin, "plugin instance";
}

/// Bodies and the deletion of what hangs on them.
impl Spec {
    /// Adds a body at the end of the parent's children.
    pub fn add_body(&mut self, parent: BodyId, mut body: Body) -> BodyId {
        body.parent = Some(parent);
        let id = self.bodies.push(body);
        self.bodies[parent].bodies.push(id);
        id
    }

    /// The body with this name.
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        find_named(&self.bodies, name)
    }

    /// The body and all bodies below it, each parent before its children, siblings in order.
    pub fn subtree(&self, root: BodyId) -> Vec<BodyId> {
        let mut order = Vec::new();
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            let Some(body) = self.bodies.get(id) else { continue };
            order.push(id);
            pending.extend(body.bodies.iter().rev());
        }
        order
    }

    /// Deletes a body with all that hangs on it. The world cannot be deleted. References to deleted elements
    /// dangle until they are changed.
    pub fn delete_body(&mut self, id: BodyId) -> bool {
        let Some(parent) = self.bodies.get(id).and_then(|body| body.parent) else { return false };
        for member in self.subtree(id) {
            let Some(body) = self.bodies.remove(member) else { continue };
            body.frames.iter().for_each(|&child| drop(self.frames.remove(child)));
            body.joints.iter().for_each(|&child| drop(self.joints.remove(child)));
            body.geoms.iter().for_each(|&child| drop(self.geoms.remove(child)));
            body.sites.iter().for_each(|&child| drop(self.sites.remove(child)));
            body.cameras.iter().for_each(|&child| drop(self.cameras.remove(child)));
            body.lights.iter().for_each(|&child| drop(self.lights.remove(child)));
        }
        self.bodies[parent].bodies.retain(|&child| child != id);
        true
    }
}

/// Generates `delete_…` for elements that belong to a body.
macro_rules! delete_children {
    ($($delete:ident $arena:ident $list:ident $ty:ty, $what:literal;)+) => {
        impl Spec {$(
            #[doc = concat!("Deletes a ", $what, " and takes it off its body's list.")]
            pub fn $delete(&mut self, id: Id<$ty>) -> Option<$ty> {
                let element = self.$arena.remove(id)?;
                if let Some(body) = self.bodies.get_mut(element.body) {
                    body.$list.retain(|&child| child != id);
                }
                Some(element)
            }
        )+}
    };
}

delete_children! {
    delete_joint joints joints Joint, "joint";
    delete_geom geoms geoms Geom, "geom";
    delete_site sites sites Site, "site";
    delete_camera cameras cameras Camera, "camera";
    delete_light lights lights Light, "light";
}

impl Spec {
    /// Replaces a body by a frame of its parent with the same pose. What hung on the body now hangs on the
    /// parent; its joints and its inertia go. `None` for the world.
    pub fn body_to_frame(&mut self, id: BodyId) -> Option<FrameId> {
        let parent = self.bodies.get(id)?.parent?;
        let body = self.bodies.remove(id)?;
        let frame = Frame {
            name: body.name.clone(),
            origin: body.origin.clone(),
            childclass: body.childclass.clone(),
            pos: body.pos,
            quat: body.quat,
            alt: body.alt,
            parent: body.frame,
            ..Frame::default()
        };
        let frame = self.add_frame(parent, frame);
        body.joints.iter().for_each(|&joint| drop(self.joints.remove(joint)));
        macro_rules! hand_over {
            ($($list:ident $owner:ident $inside:ident;)+) => {$(
                for &child in &body.$list {
                    let element = &mut self.$list[child];
                    element.$owner = parent.into();
                    element.$inside = element.$inside.or(Some(frame));
                }
            )+};
        }
        hand_over! {
            geoms body frame;
            sites body frame;
            cameras body frame;
            lights body frame;
            frames body parent;
            bodies parent frame;
        }
        let heir = &mut self.bodies[parent];
        let index = heir.bodies.iter().position(|&child| child == id).unwrap_or(heir.bodies.len());
        heir.bodies.retain(|&child| child != id);
        heir.bodies.splice(index..index, body.bodies);
        heir.frames.extend(body.frames);
        heir.geoms.extend(body.geoms);
        heir.sites.extend(body.sites);
        heir.cameras.extend(body.cameras);
        heir.lights.extend(body.lights);
        Some(frame)
    }

    /// Deletes a frame and takes it off its body's list; what was inside belongs to the frame around it.
    pub fn delete_frame(&mut self, id: FrameId) -> Option<Frame> {
        let frame = self.frames.remove(id)?;
        let body = self.bodies.get_mut(frame.body)?;
        body.frames.retain(|&child| child != id);
        let body = body.clone();
        let outer = |at: &mut Option<FrameId>| {
            if *at == Some(id) {
                *at = frame.parent;
            }
        };
        body.frames.iter().for_each(|&f| outer(&mut self.frames[f].parent));
        body.joints.iter().for_each(|&j| outer(&mut self.joints[j].frame));
        body.geoms.iter().for_each(|&g| outer(&mut self.geoms[g].frame));
        body.sites.iter().for_each(|&s| outer(&mut self.sites[s].frame));
        body.cameras.iter().for_each(|&c| outer(&mut self.cameras[c].frame));
        body.lights.iter().for_each(|&l| outer(&mut self.lights[l].frame));
        body.bodies.iter().for_each(|&b| outer(&mut self.bodies[b].frame));
        Some(frame)
    }
}

/// First living element with this name; the empty name finds nothing.
fn find_named<T: Element>(arena: &Arena<T>, name: &str) -> Option<Id<T>> {
    if name.is_empty() {
        return None;
    }
    arena.iter().find(|(_, element)| element.name() == name).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named_body(name: &str) -> Body {
        Body { name: name.to_owned(), ..Body::default() }
    }

    #[test]
    fn bodies_form_a_tree_in_order() {
        let mut spec = Spec::new();
        let a = spec.add_body(spec.world(), named_body("a"));
        let b = spec.add_body(spec.world(), named_body("b"));
        let a1 = spec.add_body(a, named_body("a1"));
        assert_eq!(spec.subtree(spec.world()), [spec.world(), a, a1, b]);
        assert_eq!(spec.find_body("a1"), Some(a1));
        assert_eq!(spec.find_body("world"), Some(spec.world()));
    }

    #[test]
    fn deleting_a_body_takes_its_subtree_along() {
        let mut spec = Spec::new();
        let a = spec.add_body(spec.world(), named_body("a"));
        let a1 = spec.add_body(a, named_body("a1"));
        spec.add_geom(a1, Geom { name: "g".into(), ..Geom::default() });
        assert!(spec.delete_body(a));
        assert!(!spec.delete_body(spec.world()));
        assert_eq!((spec.bodies.len(), spec.geoms.len()), (1, 0));
        assert!(spec.find_geom("g").is_none() && spec.bodies[spec.world()].bodies.is_empty());
    }

    #[test]
    fn a_renamed_class_keeps_its_users() {
        let mut spec = Spec::new();
        let class = spec.add_default("old", DefaultId(0)).unwrap();
        let geom = spec.add_geom(spec.world(), spec.default_class(class).geom.clone());
        spec.geoms[geom].origin.class = "old".to_owned();
        let body = spec.add_body(spec.world(), named_body("a"));
        spec.bodies[body].childclass = "old".to_owned();
        spec.rename_default(class, "new");
        assert_eq!(spec.find_default("new"), Some(class));
        assert_eq!((spec.find_default("old"), &*spec.geoms[geom].origin.class), (None, "new"));
        assert_eq!(spec.bodies[body].childclass, "new");
    }

    #[test]
    fn nested_classes_start_as_copies() {
        let mut spec = Spec::new();
        spec.defaults[0].geom.density = 7.0;
        let child = spec.add_default("child", DefaultId(0)).unwrap();
        assert_eq!(spec.default_class(child).geom.density, 7.0);
        assert!(spec.add_default("child", DefaultId(0)).is_none());
        assert_eq!(spec.find_default(""), Some(DefaultId(0)));
    }

    #[test]
    fn what_was_in_a_deleted_frame_is_in_the_one_around_it() {
        let mut spec = Spec::from_xml_string(
            "<mujoco><worldbody><frame name='outer'><geom name='o' size='1'/><frame name='inner'><geom name='i' size='1'/>
               <site name='s'/><body name='b'/><frame name='innermost'><light name='l'/></frame></frame></frame>
             </worldbody></mujoco>",
            None,
        )
        .unwrap_or_else(|findings| panic!("{findings}"));
        let [outer, inner, innermost] =
            ["outer", "inner", "innermost"].map(|name| spec.find_frame(name).unwrap());
        assert!(spec.delete_frame(inner).is_some() && spec.delete_frame(inner).is_none());
        let geom = |name| spec.geoms[spec.find_geom(name).unwrap()].frame;
        assert_eq!((geom("o"), geom("i")), (Some(outer), Some(outer)));
        assert_eq!(spec.sites[spec.find_site("s").unwrap()].frame, Some(outer));
        assert_eq!(spec.bodies[spec.find_body("b").unwrap()].frame, Some(outer));
        assert_eq!(spec.frames[innermost].parent, Some(outer));
        assert_eq!(spec.lights[spec.find_light("l").unwrap()].frame, Some(innermost));
        assert_eq!(spec.bodies[spec.world()].frames, [outer, innermost]);
    }
}
