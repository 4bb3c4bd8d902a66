//! Cost of a substep per vertex, from a thousand to a hundred thousand vertices, on one thread and on two.
//!
//! ```text
//! cargo run --release -p kinetree-soft --features parallel --example cost
//! ```
//!
//! A cotton sheet hangs from one side, and a block of rubber stands pinned on its lower side: each is stepped
//! alone, by [`XpbdSolver`]. The bits of both thread counts are compared. `cost cloth 64 200` prints the
//! seconds that the fastest of 200 substeps of a sheet of 64 × 64 cells takes, for programs that compare;
//! `cost springs 64 200` that of a sheet of springs and hinges. The fastest counts because others may use the
//! processor too.

use kinetree_soft::{
    Cloth, ClothPreset, Constraint, DeformableBody, Material, MaterialPreset, Network, Particles, SoftBody,
    SoftBodyPreset, SoftError, Substeps, TriangleMesh, Vec3, XpbdSettings, XpbdSolver,
};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// A sheet of square cells of 2 cm, pinned along one side.
fn sheet(cells: usize) -> Result<Cloth, SoftError> {
    let side = 0.02 * cells as f64;
    let mut cloth = Cloth::grid([cells; 2], [side; 2], ClothPreset::Cotton)?;
    (0..=cells).try_for_each(|vertex| cloth.particles_mut().pin(vertex))?;
    Ok(cloth)
}

/// A sheet of square cells of 2 cm as NVIDIA Warp makes one, pinned along one side: a spring along each edge
/// and between the vertices on both sides of each edge, and a hinge at each edge of two triangles.
fn springs(cells: usize) -> Result<Network, SoftError> {
    let mesh = TriangleMesh::grid([cells; 2], [0.02 * cells as f64; 2])?;
    // vertices on the left and on the right of each edge
    let mut sides: BTreeMap<[u32; 2], [Option<u32>; 2]> = BTreeMap::new();
    for &[a, b, c] in mesh.triangles() {
        for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            let side = usize::from(from > to);
            sides.entry([from.min(to), from.max(to)]).or_default()[side] = Some(opposite);
        }
    }
    let mut pairs: BTreeSet<[u32; 2]> = sides.keys().copied().collect();
    let mut constraints = Vec::new();
    for (&[a, b], &opposite) in &sides {
        if let [Some(left), Some(right)] = opposite {
            pairs.insert([left.min(right), left.max(right)]);
            let vertices = [a, b, left, right];
            constraints.push(Constraint::Dihedral { vertices, angle: 0.0, compliance: 1.0 });
        }
    }
    let place = |vertex: u32| mesh.position()[vertex as usize];
    constraints.extend(pairs.into_iter().map(|vertices| {
        let length = (place(vertices[0]) - place(vertices[1])).norm();
        Constraint::Distance { vertices, length, compliance: 1e-3 }
    }));
    let mut particles = Particles::new(mesh.position().to_vec(), vec![1e-4; mesh.position().len()])?;
    (0..=cells).try_for_each(|vertex| particles.pin(vertex))?;
    let material = Material { damping: 0.0, ..MaterialPreset::Cloth.material() };
    Network::new(particles, &constraints, material, 0.0)
}

/// A block of cubic cells of 2 cm, pinned at its bottom.
fn block(cells: usize) -> Result<SoftBody, SoftError> {
    let side = 0.02 * cells as f64;
    let mut block = SoftBody::block([cells; 3], [side; 3], SoftBodyPreset::Rubber)?;
    for vertex in 0..block.particles().len() {
        if block.particles().position[vertex].z < -0.499 * side {
            block.particles_mut().pin(vertex)?;
        }
    }
    Ok(block)
}

/// Seconds that the fastest substep takes, and the positions after all.
fn time(body: &mut dyn DeformableBody, substeps: usize) -> Result<(f64, Vec<Vec3>), SoftError> {
    let settings = XpbdSettings { substeps: Substeps::Fixed(1), ..XpbdSettings::default() };
    let mut solver = XpbdSolver::new(settings);
    let h = 0.01 / body.substeps(0.01);
    solver.step(body, GRAVITY, h)?;
    let mut fastest = f64::INFINITY;
    for _ in 0..substeps {
        let start = Instant::now();
        solver.step(body, GRAVITY, h)?;
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok((fastest, body.particles().position.to_vec()))
}

/// A row of the table.
fn row<B: DeformableBody>(
    name: &str,
    make: impl Fn() -> Result<B, SoftError> + Sync,
) -> Result<(), SoftError> {
    let vertices = make()?.particles().len();
    let substeps = (2_000_000 / vertices).clamp(10, 1000);
    let mut results = Vec::new();
    for threads in [1, 2] {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else { continue };
        results.push(pool.install(|| time(&mut make()?, substeps))?);
    }
    let cost = |k: usize| results.get(k).map_or(f64::NAN, |(seconds, _)| 1e9 * seconds / vertices as f64);
    let equal = results.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let bits = if equal { "equal" } else { "different" };
    println!("| {name} | {vertices} | {:.0} | {:.0} | {bits} |", cost(0), cost(1));
    Ok(())
}

fn main() -> Result<(), SoftError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [kind, cells, substeps] = &arguments[..] {
        let (cells, substeps) = (cells.parse().unwrap_or(64), substeps.parse().unwrap_or(200));
        let (seconds, _) = match kind.as_str() {
            "block" => time(&mut block(cells)?, substeps)?,
            "springs" => time(&mut springs(cells)?, substeps)?,
            _ => time(&mut sheet(cells)?, substeps)?,
        };
        println!("{seconds}");
        return Ok(());
    }
    println!("| body | vertices | ns per vertex and substep, one thread | two threads | bits |");
    println!("|---|---:|---:|---:|---|");
    for cells in [31, 99, 315] {
        row("springs and hinges", || springs(cells))?;
    }
    for cells in [31, 99, 315] {
        row("sheet", || sheet(cells))?;
    }
    for cells in [9, 20, 45] {
        row("block", || block(cells))?;
    }
    Ok(())
}
