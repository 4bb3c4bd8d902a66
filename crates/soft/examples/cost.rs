//! Cost of a substep per vertex, from a thousand to a hundred thousand vertices, on one thread and on two.
//!
//! ```text
//! cargo run --release -p kinetree-soft --features parallel --example cost
//! ```
//!
//! A cotton sheet hangs from one side, and a block of rubber stands pinned on its lower side: each is stepped
//! alone, by [`XpbdSolver`]. Thread counts take turns, and their bits are compared. Of each the fastest
//! substep counts, because others may use the processor too; the mean time that all threads together were
//! on a processor stands beside it, which counts what threads cost that wait for each other. `cost block`
//! has the rows of that body alone.
//!
//! `cost cloth 64 200` prints the seconds that the fastest of 200 substeps of a sheet of 64 × 64 cells takes,
//! for programs that compare; `cost springs 64 200` that of a sheet of springs and hinges.

use kinetree_soft::{
    Cloth, ClothPreset, Constraint, DeformableBody, Material, MaterialPreset, Network, Particles, SoftBody,
    SoftBodyPreset, SoftError, Substeps, TriangleMesh, Vec3, XpbdSettings, XpbdSolver,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// How often each number of threads has its turn.
const ROUNDS: usize = 10;

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

/// A body that is stepped, and what its substeps took.
struct Run<B> {
    body: B,
    solver: XpbdSolver,
    /// Length of a substep (s).
    h: f64,
    /// Time of the fastest substep (s).
    fastest: f64,
    /// Time on processors, of all threads and substeps together (s).
    computed: f64,
    substeps: usize,
}

impl<B: DeformableBody> Run<B> {
    /// A run whose first substep is over.
    fn new(mut body: B) -> Result<Self, SoftError> {
        let settings = XpbdSettings { substeps: Substeps::Fixed(1), ..XpbdSettings::default() };
        let mut solver = XpbdSolver::new(settings);
        let h = 0.01 / body.substeps(0.01);
        solver.step(&mut body, GRAVITY, h)?;
        Ok(Self { body, solver, h, fastest: f64::INFINITY, computed: 0.0, substeps: 0 })
    }

    fn step(&mut self, substeps: usize) -> Result<(), SoftError> {
        let before = processor_seconds();
        for _ in 0..substeps {
            let start = Instant::now();
            self.solver.step(&mut self.body, GRAVITY, self.h)?;
            self.fastest = self.fastest.min(start.elapsed().as_secs_f64());
        }
        self.computed += processor_seconds() - before;
        self.substeps += substeps;
        Ok(())
    }

    /// Nanoseconds per vertex: of the fastest substep, and on processors in the mean.
    fn cost(&self) -> [f64; 2] {
        [self.fastest, self.computed / self.substeps as f64]
            .map(|seconds| 1e9 * seconds / self.body.particles().len() as f64)
    }
}

/// Time that the threads of this process were on a processor (s), as Linux tells it; else not a number.
fn processor_seconds() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    let of_thread = |path: PathBuf| {
        let text = std::fs::read_to_string(path.join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    threads.flatten().filter_map(|thread| of_thread(thread.path())).sum::<f64>() * 1e-9
}

/// A row of the table.
fn row<B: DeformableBody>(
    name: &str,
    make: impl Fn() -> Result<B, SoftError> + Sync,
) -> Result<(), SoftError> {
    let mut runs = Vec::new();
    for threads in [1, 2] {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else { continue };
        runs.push((Run::new(make()?)?, pool));
    }
    let vertices = runs.first().map_or(1, |(run, _)| run.body.particles().len());
    let substeps = (2_000_000 / vertices).clamp(20, 1000) / ROUNDS;
    for _ in 0..ROUNDS {
        for (run, pool) in &mut runs {
            pool.install(|| run.step(substeps))?;
        }
    }
    let cost = |k: usize| runs.get(k).map_or([f64::NAN; 2], |(run, _)| run.cost());
    let position = |run: &Run<B>| run.body.particles().position.to_vec();
    let equal = runs.windows(2).all(|pair| position(&pair[0].0) == position(&pair[1].0));
    let (bits, [one, two]) = (if equal { "equal" } else { "different" }, [cost(0), cost(1)]);
    println!(
        "| {name} | {vertices} | {:.0} | {:.0} | {:.0} | {:.0} | {bits} |",
        one[0], one[1], two[0], two[1]
    );
    Ok(())
}

/// Seconds that the fastest of some substeps takes.
fn fastest(body: impl DeformableBody, substeps: usize) -> Result<f64, SoftError> {
    let mut run = Run::new(body)?;
    run.step(substeps)?;
    Ok(run.fastest)
}

fn main() -> Result<(), SoftError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [kind, cells, substeps] = &arguments[..] {
        let (cells, substeps) = (cells.parse().unwrap_or(64), substeps.parse().unwrap_or(200));
        let seconds = match kind.as_str() {
            "block" => fastest(block(cells)?, substeps)?,
            "springs" => fastest(springs(cells)?, substeps)?,
            _ => fastest(sheet(cells)?, substeps)?,
        };
        println!("{seconds}");
        return Ok(());
    }
    let wanted = |kind: &str| arguments.first().is_none_or(|only| only == kind);
    println!(
        "| body | vertices | ns per vertex and substep, one thread | on processors | two threads | on processors | bits |"
    );
    println!("|---|---:|---:|---:|---:|---:|---|");
    for cells in [31, 99, 315].into_iter().filter(|_| wanted("springs")) {
        row("springs and hinges", || springs(cells))?;
    }
    for cells in [31, 99, 315].into_iter().filter(|_| wanted("cloth")) {
        row("sheet", || sheet(cells))?;
    }
    for cells in [9, 20, 45].into_iter().filter(|_| wanted("block")) {
        row("block", || block(cells))?;
    }
    Ok(())
}
