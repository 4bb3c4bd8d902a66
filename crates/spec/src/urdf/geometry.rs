//! Visuals and collisions of URDF links.

use kinetree_model::enums::GeomType;

use super::Reader;
use crate::spec::{BodyId, Geom, Mesh, Origin};
use crate::vfs;
use crate::xml::Node;

/// Scheme of mesh names that are relative to a package.
const PACKAGE: &str = "package://";

impl Reader<'_> {
    /// The color of a visual: written out, or that of a named material. Without either, the color stays.
    pub(super) fn read_color(&mut self, node: Node<'_>, color: &mut Option<[f32; 4]>) {
        let Some(material) = self.only_child(node, "material") else { return };
        if let Some(element) = self.only_child(material, "color") {
            let mut rgba = [0.0; 4];
            self.log.required(element, "rgba");
            if self.log.exact(element, "rgba", &mut rgba) {
                *color = Some(rgba);
            }
        } else if let Some(name) = self.required_attr(material, "name")
            && let Some(&known) = self.colors.get(name)
        {
            *color = Some(known);
        }
    }

    /// Reads a visual or collision as a geom.
    pub(super) fn read_geom(
        &mut self,
        node: Node<'_>,
        body: BodyId,
        collision: bool,
        color: Option<[f32; 4]>,
    ) {
        let mut geom = Geom {
            origin: Origin { pos: node.pos(), ..Origin::default() },
            r#type: GeomType::Box,
            ..Geom::default()
        };
        if !collision {
            (geom.contype, geom.conaffinity, geom.group, geom.density) = (0, 0, 1, 0.0);
        }
        let Some(geometry) = self.only_child(node, "geometry") else {
            self.log.error(node.pos(), format!("<{}> needs a <geometry>", node.name()));
            return;
        };
        if !self.read_shape(geometry, &mut geom) {
            return;
        }
        (geom.pos, geom.quat) = self.read_origin(node);
        if let Some(rgba) = color.filter(|rgba| rgba[0] >= 0.0) {
            geom.rgba = rgba;
        }
        // names need not be unique in this format: later geoms of a name go without
        if let Some(attr) = node.attr("name").filter(|attr| !attr.value().is_empty()) {
            if self.geom_names.insert(attr.value().to_owned()) {
                attr.value().clone_into(&mut geom.name);
            } else {
                let message = format!("the name '{}' is used already; this geom goes without", attr.value());
                self.log.warning(attr.value_pos(), message);
            }
        }
        self.spec.add_geom(body, geom);
    }

    /// Reads the shape. Lengths become half lengths. True on success.
    fn read_shape(&mut self, geometry: Node<'_>, geom: &mut Geom) -> bool {
        if let Some(shape) = self.only_child(geometry, "box") {
            self.log.required(shape, "size");
            self.log.exact(shape, "size", &mut geom.size);
            geom.size = geom.size.map(|length| length / 2.0);
        } else if let Some(shape) = self.only_child(geometry, "cylinder") {
            geom.r#type = GeomType::Cylinder;
            self.read_radius_length(shape, geom);
        } else if let Some(shape) = self.only_child(geometry, "sphere") {
            geom.r#type = GeomType::Sphere;
            self.log.required(shape, "radius");
            self.log.number(shape, "radius", &mut geom.size[0]);
        } else if let Some(shape) = self.only_child(geometry, "capsule") {
            geom.r#type = GeomType::Capsule;
            self.read_radius_length(shape, geom);
        } else if let Some(shape) = self.only_child(geometry, "mesh") {
            geom.r#type = GeomType::Mesh;
            return self.read_mesh(shape, geom);
        } else {
            self.log.error_help(
                geometry.pos(),
                "<geometry> has no shape we know",
                "one of: box, cylinder, sphere, capsule, mesh",
            );
            return false;
        }
        true
    }

    fn read_radius_length(&mut self, shape: Node<'_>, geom: &mut Geom) {
        for (name, i) in [("radius", 0), ("length", 1)] {
            self.log.required(shape, name);
            self.log.number(shape, name, &mut geom.size[i]);
        }
        geom.size[1] /= 2.0;
    }

    /// Reads a mesh reference. One file gives one mesh per scale; further scales get a number after the name.
    fn read_mesh(&mut self, shape: Node<'_>, geom: &mut Geom) -> bool {
        let Some(file) = self.required_attr(shape, "filename") else { return false };
        let mut scale = [1.0; 3];
        self.log.exact(shape, "scale", &mut scale);
        let file = self.mesh_file(file);
        let stem = vfs::strip_extension(vfs::strip_path(&file)).to_owned();
        let known = self.meshes.entry(stem.clone()).or_default();
        if let Some(&id) = known.iter().find(|&&id| self.spec.meshes[id].scale == scale) {
            geom.meshname.clone_from(&self.spec.meshes[id].name);
            // the reference looks meshes up by the name of the file: only the first scale is found again
            if self.spec.meshes[id].name != stem {
                geom.meshname = stem;
            }
            return true;
        }
        let name = if known.is_empty() { stem } else { format!("{stem}{}", known.len()) };
        geom.meshname.clone_from(&name);
        let origin = Origin { pos: shape.pos(), ..Origin::default() };
        known.push(self.spec.meshes.push(Mesh { name, origin, file, scale, ..Mesh::default() }));
        true
    }

    /// The file of a mesh: stripped when the compiler says so, or found in the folder of its package.
    fn mesh_file(&self, file: &str) -> String {
        let compiler = self.spec.compiler();
        if compiler.strippath {
            return vfs::strip_path(file).to_owned();
        }
        let usual = vfs::combine(&vfs::combine(&compiler.modelfiledir, &compiler.meshdir), file);
        let Some(inside) = file.strip_prefix(PACKAGE).filter(|_| !vfs::exists(&usual, self.vfs)) else {
            return file.to_owned();
        };
        // the package is a folder above the model file, or beside one of those
        let mut folder = compiler.modelfiledir.trim_end_matches('/');
        loop {
            let candidate = vfs::combine(folder, inside);
            if vfs::exists(&candidate, self.vfs) {
                return candidate;
            }
            // the folder itself may be the package
            let package = inside.split('/').next().unwrap_or_default();
            if vfs::strip_path(folder) == package {
                let candidate = vfs::combine(folder, inside[package.len()..].trim_start_matches('/'));
                if vfs::exists(&candidate, self.vfs) {
                    return candidate;
                }
            }
            match folder.rfind('/') {
                Some(n) => folder = &folder[..n],
                None => return file.to_owned(),
            }
        }
    }
}
