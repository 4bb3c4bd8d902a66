//! COLLADA files (`.dae`): the triangles of all geometries of the scene, in metres.
//!
//! Robot descriptions use the format for what is seen; the reference does not read it. Read are positions of
//! triangles and polygons, placed by the nodes of the scene and scaled by the unit of the file. Like other
//! readers of robot descriptions this one leaves the axes as they are, whichever of them the file calls "up".
//! Materials, normals, animations and skins are passed over.

use std::collections::HashMap;
use std::sync::Arc;

use super::{MeshError, MeshOrigin, MeshSource};
use crate::assets::linalg::{V3, cross, dot, sub};
use crate::diagnostics::SourceMap;
use crate::xml::{Document, Dom, Node};

/// Most instances of geometries in a scene.
const MAX_INSTANCES: usize = 10_000;

/// A map of points: three rows of a matrix with a translation in the last column.
type Placement = [[f64; 4]; 3];

const IDENTITY: Placement = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// Points and triangles of one geometry.
#[derive(Default)]
struct Geometry {
    point: Vec<V3>,
    triangle: Vec<[usize; 3]>,
}

fn broken(what: impl Into<String>) -> MeshError {
    MeshError::Collada(what.into())
}

/// Reads a file.
pub(super) fn decode(bytes: &[u8]) -> Result<MeshSource, MeshError> {
    if bytes.is_empty() {
        return Err(MeshError::EmptyFile);
    }
    let text: Arc<str> = String::from_utf8_lossy(bytes).into();
    let file = SourceMap::default().add("", Arc::clone(&text));
    let document = Document::new(file, text).map_err(|(error, _)| broken(error.message))?;
    let dom = Dom { documents: vec![document] };
    let root = dom.root(0);
    if root.name() != "COLLADA" {
        return Err(broken(format!("begins with <{}>", root.name())));
    }
    let mut geometries = HashMap::new();
    for library in root.children_named("library_geometries") {
        for node in library.children_named("geometry") {
            let (Some(id), Some(mesh)) = (node.attr("id"), node.child("mesh")) else { continue };
            geometries.insert(id.value(), read_mesh(mesh)?);
        }
    }
    let unit = root.child("asset").and_then(|asset| asset.child("unit")).and_then(|unit| unit.attr("meter"));
    let unit = unit.map_or(Ok(1.0), |attr| number(attr.value()))?;
    assemble(root, &geometries, unit)
}

/// Places the geometries as the scenes say; all of them as they are when there is no scene.
fn assemble(
    root: Node<'_>,
    geometries: &HashMap<&str, Geometry>,
    unit: f64,
) -> Result<MeshSource, MeshError> {
    let mut source = MeshSource { origin: MeshOrigin::Collada, ..MeshSource::default() };
    let placed = placements(root)?;
    if placed.is_empty() {
        let mut all: Vec<(&&str, &Geometry)> = geometries.iter().collect();
        all.sort_unstable_by_key(|(id, _)| **id);
        all.into_iter().for_each(|(_, geometry)| append(&mut source, geometry, &IDENTITY, unit));
    }
    for (id, placement) in placed {
        let found = geometries.get(id).ok_or_else(|| broken(format!("there is no geometry '{id}'")))?;
        append(&mut source, found, &placement, unit);
    }
    if source.face.is_empty() {
        return Err(broken("it holds no triangles"));
    }
    Ok(source)
}

/// Geometries of all scenes with their poses, outer nodes first.
fn placements<'d>(root: Node<'d>) -> Result<Vec<(&'d str, Placement)>, MeshError> {
    let mut found = Vec::new();
    let scenes = root.children_named("library_visual_scenes").into_iter();
    let scenes = scenes.flat_map(|library| library.children_named("visual_scene"));
    let mut open: Vec<(Node<'_>, Placement)> =
        scenes.flat_map(|scene| scene.children_named("node")).map(|node| (node, IDENTITY)).collect();
    open.reverse();
    while let Some((node, outer)) = open.pop() {
        let placement = compose(&outer, &local_placement(node)?);
        for instance in node.children_named("instance_geometry") {
            let url = instance.attr("url").map_or("", |attr| attr.value());
            found.push((url.trim_start_matches('#'), placement));
            if found.len() > MAX_INSTANCES {
                return Err(broken(format!("more than {MAX_INSTANCES} geometries are placed")));
            }
        }
        open.extend(node.children_named("node").into_iter().rev().map(|child| (child, placement)));
    }
    Ok(found)
}

/// Where a node puts what is in it: its transformations in the order in which they stand.
fn local_placement(node: Node<'_>) -> Result<Placement, MeshError> {
    let mut placement = IDENTITY;
    for child in node.children() {
        let step = match child.name() {
            "matrix" => {
                let m = exactly::<16>(child)?;
                std::array::from_fn(|row| std::array::from_fn(|column| m[4 * row + column]))
            }
            "translate" => {
                let [x, y, z] = exactly::<3>(child)?;
                [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]
            }
            "scale" => {
                let [x, y, z] = exactly::<3>(child)?;
                [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]]
            }
            "rotate" => rotation(&exactly::<4>(child)?),
            "skew" | "lookat" => return Err(broken(format!("unsupported: <{}>", child.name()))),
            _ => continue,
        };
        placement = compose(&placement, &step);
    }
    Ok(placement)
}

/// Rotation about an axis by an angle in degrees (Rodrigues).
fn rotation([x, y, z, degrees]: &[f64; 4]) -> Placement {
    let length = (x * x + y * y + z * z).sqrt();
    if length == 0.0 {
        return IDENTITY;
    }
    let axis = [x / length, y / length, z / length];
    let angle = degrees.to_radians();
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let skew = [[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]];
    std::array::from_fn(|row| {
        std::array::from_fn(|column| match column {
            3 => 0.0,
            _ => {
                let diagonal = if row == column { cos } else { 0.0 };
                diagonal + sin * skew[row][column] + (1.0 - cos) * axis[row] * axis[column]
            }
        })
    })
}

fn compose(a: &Placement, b: &Placement) -> Placement {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let moved: f64 = (0..3).map(|k| a[row][k] * b[k][column]).sum();
            if column == 3 { moved + a[row][3] } else { moved }
        })
    })
}

/// Adds a geometry at a pose. A mirrored one has its triangles reversed, so that they still face outward.
fn append(source: &mut MeshSource, geometry: &Geometry, placement: &Placement, unit: f64) {
    let base = (source.vert.len() / 3) as i32;
    for point in &geometry.point {
        let coordinate = |row: &[f64; 4]| dot(&[row[0], row[1], row[2]], point) + row[3];
        source.vert.extend(placement.iter().map(|row| (unit * coordinate(row)) as f32));
    }
    let column = |c: usize| std::array::from_fn(|row| placement[row][c]);
    let mirrored = dot(&cross(&column(0), &column(1)), &column(2)) < 0.0;
    for &[a, b, c] in &geometry.triangle {
        let corners = if mirrored { [a, c, b] } else { [a, b, c] };
        source.face.extend(corners.map(|corner| base + corner as i32));
    }
}

/// Reads the positions and all triangles and polygons of a `<mesh>`.
fn read_mesh(mesh: Node<'_>) -> Result<Geometry, MeshError> {
    let mut geometry = Geometry::default();
    let Some(vertices) = mesh.child("vertices") else { return Ok(geometry) };
    let inputs = vertices.children_named("input");
    let position = inputs.into_iter().find(|input| is(*input, "semantic", "POSITION"));
    let wanted = position.and_then(|input| input.attr("source")).map_or("", |attr| attr.value());
    let wanted = wanted.trim_start_matches('#');
    let sources = mesh.children_named("source");
    let Some(source) = sources.into_iter().find(|source| is(*source, "id", wanted)) else {
        return Err(broken(format!("there are no positions '{wanted}'")));
    };
    let accessor = source.child("technique_common").and_then(|technique| technique.child("accessor"));
    let stride = accessor.and_then(|accessor| accessor.attr("stride"));
    let stride = stride.map_or(Ok(3), |attr| count(attr.value()))?.max(3);
    let values = numbers(source.child("float_array").map_or("", Node::text))?;
    geometry.point = values.chunks_exact(stride).map(|point| [point[0], point[1], point[2]]).collect();
    for primitive in mesh.children() {
        if matches!(primitive.name(), "triangles" | "polylist" | "polygons") {
            read_primitive(primitive, &mut geometry)?;
        }
    }
    Ok(geometry)
}

fn is(node: Node<'_>, attribute: &str, value: &str) -> bool {
    node.attr(attribute).is_some_and(|attr| attr.value() == value)
}

/// Reads a list of triangles or polygons; a polygon becomes a fan of triangles.
fn read_primitive(primitive: Node<'_>, geometry: &mut Geometry) -> Result<(), MeshError> {
    let mut stride = 1;
    let mut offset = None;
    for input in primitive.children_named("input") {
        let at = input.attr("offset").map_or(Ok(0), |attr| count(attr.value()))?;
        stride = stride.max(at + 1);
        if is(input, "semantic", "VERTEX") {
            offset = Some(at);
        }
    }
    let offset = offset.ok_or_else(|| broken("a list of polygons names no vertices"))?;
    let sizes: Option<Vec<usize>> = match primitive.child("vcount") {
        Some(list) => Some(list.text().split_ascii_whitespace().map(count).collect::<Result<_, _>>()?),
        None => None,
    };
    for list in primitive.children_named("p") {
        let indices = list.text().split_ascii_whitespace().map(count).collect::<Result<Vec<_>, _>>()?;
        let corners: Vec<usize> = indices.chunks_exact(stride).map(|corner| corner[offset]).collect();
        if let Some(&beyond) = corners.iter().find(|&&corner| corner >= geometry.point.len()) {
            return Err(broken(format!("there is no vertex {beyond}: there are {}", geometry.point.len())));
        }
        let mut rest = &corners[..];
        let polygon = match (primitive.name(), &sizes) {
            ("polygons", _) => std::slice::from_ref(&corners.len()).to_vec(),
            (_, Some(sizes)) => sizes.clone(),
            _ => vec![3; corners.len() / 3],
        };
        for size in polygon {
            let Some((face, further)) = rest.split_at_checked(size) else {
                return Err(broken("a list of polygons ends too early"));
            };
            rest = further;
            fan(face, geometry);
        }
    }
    Ok(())
}

/// Triangles of a polygon around its first corner; those without area are left out.
fn fan(face: &[usize], geometry: &mut Geometry) {
    let Some((&first, others)) = face.split_first() else { return };
    for pair in others.windows(2) {
        let [a, b, c] = [first, pair[0], pair[1]].map(|corner| geometry.point[corner]);
        let normal = cross(&sub(&b, &a), &sub(&c, &a));
        if dot(&normal, &normal) > 0.0 {
            geometry.triangle.push([first, pair[0], pair[1]]);
        }
    }
}

fn number(text: &str) -> Result<f64, MeshError> {
    let value: Option<f64> = text.trim().parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| broken(format!("'{text}' is not a number")))
}

fn numbers(text: &str) -> Result<Vec<f64>, MeshError> {
    text.split_ascii_whitespace().map(number).collect()
}

fn count(text: &str) -> Result<usize, MeshError> {
    let value: Option<usize> = text.trim().parse().ok().filter(|&value| value < i32::MAX as usize);
    value.ok_or_else(|| broken(format!("'{text}' is not a count")))
}

fn exactly<const N: usize>(node: Node<'_>) -> Result<[f64; N], MeshError> {
    let values = numbers(node.text())?;
    let found = values.len();
    values.try_into().map_err(|_| broken(format!("<{}> has {found} numbers instead of {N}", node.name())))
}
