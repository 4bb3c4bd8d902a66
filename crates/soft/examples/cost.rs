//! Cost of a substep per vertex, from a thousand to a hundred thousand vertices, on one thread and on two.
//!
//! ```text
//! cargo run --release -p kinetree-soft --features parallel --example cost
//! ```
//!
//! A cotton sheet hangs from one side, and a block of rubber stands pinned on its lower side: each is stepped
//! alone, by [`XpbdSolver`]. The bits of both thread counts are compared. `cost cloth 64 200` prints the
//! seconds that 200 substeps of a sheet of 64 × 64 cells take, for programs that compare.

use kinetree_soft::{
    Cloth, ClothPreset, DeformableBody, SoftBody, SoftBodyPreset, SoftError, Substeps, Vec3, XpbdSettings,
    XpbdSolver,
};
use std::time::Instant;

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// A sheet of square cells of 2 cm, pinned along one side.
fn sheet(cells: usize) -> Result<Cloth, SoftError> {
    let side = 0.02 * cells as f64;
    let mut cloth = Cloth::grid([cells; 2], [side; 2], ClothPreset::Cotton)?;
    (0..=cells).try_for_each(|vertex| cloth.particles_mut().pin(vertex))?;
    Ok(cloth)
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

/// Seconds that substeps take, and the positions after them.
fn time(body: &mut dyn DeformableBody, substeps: usize) -> Result<(f64, Vec<Vec3>), SoftError> {
    let settings = XpbdSettings { substeps: Substeps::Fixed(1), ..XpbdSettings::default() };
    let mut solver = XpbdSolver::new(settings);
    let h = 0.01 / body.substeps(0.01);
    solver.step(body, GRAVITY, h)?;
    let start = Instant::now();
    for _ in 0..substeps {
        solver.step(body, GRAVITY, h)?;
    }
    Ok((start.elapsed().as_secs_f64(), body.particles().position.to_vec()))
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
    let cost = |k: usize| {
        results.get(k).map_or(f64::NAN, |(seconds, _)| 1e9 * seconds / (vertices * substeps) as f64)
    };
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
            _ => time(&mut sheet(cells)?, substeps)?,
        };
        println!("{seconds}");
        return Ok(());
    }
    println!("| body | vertices | ns per vertex and substep, one thread | two threads | bits |");
    println!("|---|---:|---:|---:|---|");
    for cells in [31, 99, 315] {
        row("sheet", || sheet(cells))?;
    }
    for cells in [9, 20, 45] {
        row("block", || block(cells))?;
    }
    Ok(())
}
