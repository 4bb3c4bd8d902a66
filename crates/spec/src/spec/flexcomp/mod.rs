//! Flex composites: a flex, the bodies of its vertices or nodes, and its equality constraints, from one
//! description.
//!
//! Points and elements come from a shape, from lists or from a file. Every point that is not pinned gets a
//! body of its own with sliding joints; of an interpolated flex the nodes of a grid of cells do, and the
//! points are carried along.

mod cells;
mod description;
mod pins;
mod shapes;

use kinetree_model::enums::{EqType, JointType};

use super::{Body, BodyId, Equality, Flex, Joint, Origin, Spec};
use crate::assets::gmsh::Simplices;
use crate::assets::linalg::{V3, cross, dot, normalize};
use crate::assets::mesh::MeshSource;
use crate::compile::{resolve_orientation, rotate};
use cells::CellGrid;
use description::MAX_POINTS;
pub(crate) use description::{Flexcomp, FlexcompDof, FlexcompEquality, FlexcompKind, Pins};
use kinetree_math::MINVAL;

impl Flexcomp {
    /// Takes points and elements from a surface mesh: its triangles, or tetrahedra of positive volume
    /// between them and the apex.
    pub(crate) fn take_surface(&mut self, source: &MeshSource) -> Result<(), String> {
        let (vert, face) = source.shared_vertices();
        if vert.is_empty() || face.is_empty() {
            return Err("Vertex and face data required: the mesh file lacks one".into());
        }
        let mesh = &mut self.mesh;
        mesh.point = vert.iter().map(|v| v.map(f64::from)).collect();
        if !source.texcoord.is_empty() {
            mesh.texcoord.clone_from(&source.texcoord);
            mesh.elemtexcoord.clone_from(&source.facetexcoord);
        }
        if self.flex.dim == 2 {
            mesh.element = face.into_iter().flatten().collect();
            return Ok(());
        }
        let apex = self.apex;
        for corners in face {
            let from_apex = |corner: i32| -> V3 {
                std::array::from_fn(|k| mesh.point.get(corner as usize).map_or(0.0, |p| p[k]) - apex[k])
            };
            let [a, b, c] = corners.map(from_apex);
            let volume = dot(&cross(&a, &b), &c);
            if volume >= MINVAL || volume.is_nan() {
                mesh.element.extend([0, corners[0] + 1, corners[1] + 1, corners[2] + 1]);
            }
        }
        mesh.point.insert(0, apex);
        Ok(())
    }

    /// Takes points and elements from a GMSH file.
    pub(crate) fn take_simplices(&mut self, simplices: Simplices) {
        self.flex.dim = simplices.dim as i32;
        self.mesh.point.extend(simplices.point);
        self.mesh.element.extend(simplices.element);
    }

    /// Dimension of the elements, once it is known to be 1, 2 or 3.
    fn dim(&self) -> usize {
        self.flex.dim as usize
    }

    fn check(&self) -> Result<(), String> {
        if !(1..=3).contains(&self.flex.dim) {
            return Err(format!("Invalid dim, must be between 1 and 3, not {}", self.flex.dim));
        }
        let least = if self.dof == FlexcompDof::Radial && self.flex.dim == 3 { 2 } else { 1 };
        if self.count.iter().any(|&count| count < least) {
            return Err(format!("Count too small: each must be at least {least}"));
        }
        let least = 2.0 * self.flex.radius + self.flex.margin;
        if !self.kind.is_direct() && self.spacing.iter().any(|&spacing| spacing < least) {
            return Err(format!("Spacing must be larger than geometry size: each must be at least {least}"));
        }
        if self.scale.iter().any(|&scale| scale < MINVAL) {
            return Err("Scale must be larger than mjMINVAL".into());
        }
        if self.mass < MINVAL || self.inertiabox < MINVAL {
            return Err("Mass and inertiabox must be larger than mjMINVAL".into());
        }
        if let Some(cells) = self.cellcount.filter(|_| self.dof.order() > 0)
            && (cells.iter().any(|&cells| cells < 1) || node_count(cells, self.dof.order()).is_none())
        {
            return Err("each 'cellcount' must be positive, and there are at most 4,194,304 nodes".into());
        }
        Ok(())
    }

    /// Checks the lists that came out of the shape or the file.
    fn check_mesh(&self) -> Result<(), String> {
        let (points, corners) = (self.mesh.point.len(), self.dim() + 1);
        if points == 0 || self.mesh.element.is_empty() {
            return Err("Point and element required".into());
        }
        if points > MAX_POINTS {
            return Err(format!("there are {points} points, at most {MAX_POINTS} are possible"));
        }
        if !self.mesh.element.len().is_multiple_of(corners) {
            return Err(format!("Element size must be a multiple of dim+1, that is {corners}"));
        }
        let outside = |id: &i32| usize::try_from(*id).map_or(true, |id| id >= points);
        match self.mesh.element.iter().position(outside) {
            Some(i) => Err(format!(
                "element {i} has point id {}, number of points is {points}",
                self.mesh.element[i]
            )),
            None => Ok(()),
        }
    }

    /// Scales given points and moves all to the frame of the parent body.
    fn pose_points(&mut self, quat: &[f64; 4]) {
        let scaled = self.kind.is_direct() && self.scale != [1.0; 3];
        for point in &mut self.mesh.point {
            if scaled {
                *point = std::array::from_fn(|k| point[k] * self.scale[k]);
            }
            let rotated = rotate(quat, point);
            *point = std::array::from_fn(|k| rotated[k] + self.pos[k]);
        }
    }

    /// Removes points that no element uses.
    fn drop_unused(&mut self, pinned: &mut Vec<bool>, nodes: usize) {
        let mesh = &mut self.mesh;
        let mut used = vec![false; mesh.point.len()];
        mesh.element.iter().for_each(|&id| used[id as usize] = true);
        if used.iter().all(|&used| used) {
            return;
        }
        let mut number = vec![0; used.len()];
        let mut kept = 0;
        let by_point = mesh.texcoord.len() == 2 * used.len() && mesh.elemtexcoord.is_empty();
        for i in (0..used.len()).filter(|&i| used[i]) {
            number[i] = kept as i32;
            mesh.point[kept] = mesh.point[i];
            if by_point {
                mesh.texcoord.copy_within(2 * i..2 * i + 2, 2 * kept);
            }
            pinned[kept] = pinned[i];
            kept += 1;
        }
        mesh.element.iter_mut().for_each(|id| *id = number[*id as usize]);
        mesh.point.truncate(kept);
        if by_point {
            mesh.texcoord.truncate(2 * kept);
        }
        pinned.resize(kept.max(nodes), false);
    }

    /// Body of a vertex or node, without its position in the world.
    fn body(&self, name: String, pos: V3, mass: f64, origin: &Origin) -> Body {
        let moment = mass * (2.0 * self.inertiabox * self.inertiabox) / 3.0;
        Body {
            name,
            plugin: self.plugin.clone(),
            origin: origin.clone(),
            pos,
            ipos: [0.0; 3],
            mass,
            inertia: [moment; 3],
            explicitinertial: true,
            ..Body::default()
        }
    }

    /// Axes of the sliders of the body at this position.
    fn slider_axes(&self, pos: &V3) -> Vec<V3> {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        match self.dof {
            FlexcompDof::Radial => {
                let mut axis = *pos;
                normalize(&mut axis);
                vec![axis]
            }
            FlexcompDof::Planar => axes[..2].to_vec(),
            _ => axes.to_vec(),
        }
    }
}

/// Nodes of a grid of cells; `None` when there are too many.
fn node_count(cells: [i32; 3], order: i32) -> Option<usize> {
    let side = |n: i32| n.checked_mul(order)?.checked_add(1).and_then(|n| usize::try_from(n).ok());
    let [x, y, z] = cells.map(side);
    x?.checked_mul(y?)?.checked_mul(z?).filter(|&nodes| nodes <= MAX_POINTS)
}

impl Spec {
    /// Makes a flex with the bodies of its vertices or nodes below `parent`, and its equality constraints.
    pub(crate) fn add_flexcomp(
        &mut self,
        parent: BodyId,
        origin: &Origin,
        mut comp: Flexcomp,
    ) -> Result<(), String> {
        let parent_name = self.bodies[parent].name.clone();
        if parent_name.is_empty() {
            return Err("the body that holds a <flexcomp> must have a name".into());
        }
        comp.check()?;
        let quat = resolve_orientation(&comp.quat, &comp.alt, self.compiler_of(origin))?;
        shapes::generate(&mut comp)?;
        comp.pins.check(&comp)?;
        comp.check_mesh()?;
        comp.pose_points(&quat);

        let order = comp.dof.order();
        let cells = comp.cellcount.unwrap_or([1; 3]);
        let nodes = if order > 0 { node_count(cells, order).unwrap_or(0) } else { 0 };
        let mut pinned = comp.pins.mark(&comp, nodes)?;
        let points = comp.mesh.point.len();
        let rigid = comp.rigid || pinned[..points].iter().all(|&pinned| pinned);
        let centered = !rigid && pinned[..points].iter().all(|&pinned| !pinned);
        let bounds = cells::bounds(&comp.mesh.point);
        if comp.kind.is_direct() {
            comp.drop_unused(&mut pinned, nodes);
        }

        let mut flex = Flex { origin: origin.clone(), ..comp.flex.clone() };
        flex.elem.clone_from(&comp.mesh.element);
        flex.texcoord.clone_from(&comp.mesh.texcoord);
        flex.elemtexcoord.clone_from(&comp.mesh.elemtexcoord);
        if rigid {
            flex.vert = comp.mesh.point.as_flattened().to_vec();
            flex.vertbody.push(parent_name);
            self.add_flex(flex);
            return Ok(());
        }
        if order > 0 {
            flex.vert = comp.mesh.point.as_flattened().to_vec();
            flex.vertbody = vec![parent_name; comp.mesh.point.len()];
            (flex.order, flex.cellcount) = (order, cells);
            let grid = CellGrid { cells, order, bounds };
            self.add_node_bodies(parent, origin, &comp, &mut flex, &grid, &mut pinned);
        } else {
            self.add_vertex_bodies(parent, origin, &comp, &mut flex, &pinned, centered);
        }
        flex.strain_constrained = comp.equality == FlexcompEquality::Strain;
        self.add_flex_equalities(origin, &comp, &flex);
        self.add_flex(flex);
        Ok(())
    }

    /// Adds a body with sliders below `parent`, in the default class of the parent's children.
    fn add_slider_body(&mut self, parent: BodyId, origin: &Origin, comp: &Flexcomp, body: Body) -> BodyId {
        let class = self.find_default(&self.bodies[parent].origin.class);
        let prototype = self.defaults[class.map_or(0, |class| class.0)].joint.clone();
        let axes = comp.slider_axes(&body.pos);
        let id = self.add_body(parent, body);
        for axis in axes {
            self.add_joint(
                id,
                Joint {
                    origin: origin.clone(),
                    r#type: JointType::Slide,
                    pos: [0.0; 3],
                    axis,
                    ..prototype.clone()
                },
            );
        }
        id
    }

    /// Bodies of the points that are not pinned.
    fn add_vertex_bodies(
        &mut self,
        parent: BodyId,
        origin: &Origin,
        comp: &Flexcomp,
        flex: &mut Flex,
        pinned: &[bool],
        centered: bool,
    ) {
        let parent_name = self.bodies[parent].name.clone();
        let mass = comp.mass / comp.mesh.point.len() as f64;
        for (i, point) in comp.mesh.point.iter().enumerate() {
            if pinned[i] {
                flex.vertbody.push(parent_name.clone());
                flex.vert.extend(point);
                continue;
            }
            let name = format!("{}_{i}", flex.name);
            flex.vertbody.push(name.clone());
            if !centered {
                flex.vert.extend([0.0; 3]);
            }
            self.add_slider_body(parent, origin, comp, comp.body(name, *point, mass, origin));
        }
    }

    /// Bodies of the nodes that are not pinned. Nodes of empty cells only are pinned.
    fn add_node_bodies(
        &mut self,
        parent: BodyId,
        origin: &Origin,
        comp: &Flexcomp,
        flex: &mut Flex,
        grid: &CellGrid,
        pinned: &mut [bool],
    ) {
        flex.empty_cells = grid.empty_cells(&comp.mesh, comp.dim());
        grid.pin_nodes_of_empty_cells(&flex.empty_cells, pinned);
        let parent_name = self.bodies[parent].name.clone();
        let nodes = grid.nodes();
        let free: f64 = nodes
            .iter()
            .enumerate()
            .filter(|(i, _)| !pinned[*i])
            .map(|(_, node)| grid.mass_share(*node))
            .sum();
        let scale = if free > 0.0 { comp.mass / free } else { 1.0 };
        let mut local = vec![0.0; 3 * nodes.len()];
        for (i, &node) in nodes.iter().enumerate() {
            let pos = grid.position(node);
            if pinned[i] {
                local[3 * i..3 * i + 3].copy_from_slice(&pos);
                flex.nodebody.push(parent_name.clone());
                continue;
            }
            let name = format!("{}_{}_{}_{}", flex.name, node[0], node[1], node[2]);
            flex.nodebody.push(name.clone());
            let mut body = comp.body(name, pos, grid.mass_share(node), origin);
            body.mass *= scale;
            body.inertia = body.inertia.map(|moment| moment * scale);
            self.add_slider_body(parent, origin, comp, body);
        }
        if pinned[..nodes.len()].iter().any(|&pinned| pinned) {
            flex.node = local;
        }
    }

    /// One constraint of the flex, or one for each cell that is not empty.
    fn add_flex_equalities(&mut self, origin: &Origin, comp: &Flexcomp, flex: &Flex) {
        let class = self.defaults[0].name.clone();
        let equality = |r#type: EqType| Equality {
            origin: Origin { class: class.clone(), ..origin.clone() },
            r#type,
            name1: flex.name.clone(),
            solref: comp.solref,
            solimp: comp.solimp,
            ..Equality::default()
        };
        match comp.equality {
            FlexcompEquality::None => {}
            FlexcompEquality::Edge => drop(self.add_equality(equality(EqType::Flex))),
            FlexcompEquality::Vertex => drop(self.add_equality(equality(EqType::Flexvert))),
            FlexcompEquality::Strain => {
                let [x, y, z] = flex.cellcount;
                let cells = (0..x).flat_map(|i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])));
                for (number, cell) in cells.enumerate() {
                    if !flex.empty_cells.get(number).copied().unwrap_or(false) {
                        let mut equality = equality(EqType::Flexstrain);
                        equality.data[..3].copy_from_slice(&cell.map(f64::from));
                        self.add_equality(equality);
                    }
                }
            }
        }
    }
}
