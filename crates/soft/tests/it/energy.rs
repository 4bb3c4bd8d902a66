//! Energy over many steps, without any damping of the material.

use crate::common::stir;
use kinetree_soft::{
    CapsuleChain, ChainSection, Cloth, ClothPreset, DeformableBody, Material, SoftBody, Vec3,
};

#[test]
fn energy_never_grows_in_a_hundred_thousand_substeps() {
    let material = Material::new(1e5, 0.3, 1000.0).with_damping(0.0);
    let mesh = Cloth::grid([4, 3], [0.4, 0.3], ClothPreset::Membrane).expect("a grid").mesh().clone();
    let points = (0..12).map(|k| 0.1 * f64::from(k) * Vec3::x()).collect();
    let bodies: [Box<dyn DeformableBody>; 3] = [
        Box::new(SoftBody::block([2, 1, 1], [0.3, 0.2, 0.2], material).expect("a block")),
        Box::new(Cloth::new(mesh, material, 1e-2).expect("a cloth")),
        Box::new(CapsuleChain::new(points, ChainSection::solid(0.01), material).expect("a rod")),
    ];
    for (index, mut body) in bodies.into_iter().enumerate() {
        stir(body.as_mut(), 0.3);
        let h = 1.0 / body.substeps(1.0).max(1000.0);
        let start = body.particles().kinetic_energy();
        let mut least = start;
        for _ in 0..100 {
            // kinetic and elastic energy are those of times that differ by half a substep, so that their sum
            // swings: its mean over a thousand substeps does not
            let mut mean = 0.0;
            for _ in 0..20 {
                (0..50).for_each(|_| body.substep(&Vec3::zeros(), h, 1).expect("the substep succeeds"));
                let now = body.particles().kinetic_energy() + body.elastic_energy().expect("an energy");
                assert!(now <= start, "body {index}: {start} to {now}");
                mean += now / 20.0;
            }
            assert!(mean <= 1.005 * least, "body {index}: {least} to {mean}");
            least = least.min(mean);
        }
    }
}
