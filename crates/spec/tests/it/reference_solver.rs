//! Reference level 4.0: conjugate gradients, and when Newton's method stops.
//! All numbers are from MuJoCo 4.0.1.

use crate::reference::load_4;
use kinetree_model::Data;

#[test]
fn conjugate_directions_are_those_of_hager_and_zhang() {
    let xml = |cone: &str| {
        format!(
            "<mujoco><option solver='CG' cone='{cone}'/><worldbody><geom type='plane' size='5 5 1'/>
             <body pos='0 0 .09'><freejoint/><geom size='.1'/></body>
             <body pos='.12 .03 .24'><freejoint/><geom size='.1'/></body>
             <body pos='.1 -.02 .42'><freejoint/><geom type='capsule' size='.1 .2' euler='0 80 0'/></body>
             </worldbody></mujoco>"
        )
    };
    let pyramidal = [
        0.8367558991810548,
        9.510911160949172,
        17.585509464637152,
        -115.29715595439731,
        61.76194537563611,
        113.21384877587421,
        18.060054018083935,
        17.35938023026826,
        2.6432981312366284,
        53.97750729767728,
        59.50606560337739,
        -119.04049044455127,
        7.223762100383244,
        -3.292048635938909,
        21.69741638332472,
        94.44898296561924,
        -29.78810402945604,
        6.105986050372904,
    ];
    let elliptic = [
        3.3023178120643197,
        11.006310260891933,
        17.11131885395145,
        -124.16055897077251,
        63.670509069125515,
        123.54186649077973,
        16.54155959797797,
        17.250491789889242,
        4.521323291976662,
        59.85497294666115,
        59.244469811042165,
        -130.6140622850946,
        8.084338257615968,
        -3.316722016374358,
        23.598074907246357,
        103.10531188114152,
        -33.037075015800795,
        6.520433990070122,
    ];
    for (cone, iterations, qacc) in [("pyramidal", [23, 1], pyramidal), ("elliptic", [10, 0], elliptic)] {
        let model = load_4(&xml(cone));
        let mut data = Data::new(&model);
        data.forward(&model).unwrap();
        assert_eq!(data.solver_niter[0], iterations[0], "{cone}");
        for (found, wanted) in data.qacc.iter().zip(qacc) {
            assert!((found - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{cone}: {:?}", data.qacc);
        }
        // a start whose decrement is below the tolerance is not improved
        data.qacc_warmstart.copy_from_slice(&qacc);
        data.forward(&model).unwrap();
        assert_eq!(data.solver_niter[0], iterations[1], "{cone}");
    }
}

#[test]
fn newtons_method_stops_at_a_small_decrement() {
    for cone in ["pyramidal", "elliptic"] {
        let model = load_4(&format!(
            "<mujoco><option cone='{cone}'/><worldbody><geom type='plane' size='1 1 1'/>
             <body pos='0 0 .12'><freejoint/><geom size='.1'/></body>
             <body pos='.5 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
             <body pos='.5 .05 .31'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
        ));
        let mut data = Data::new(&model);
        let (mut steps_without, mut iterations) = (0, 0);
        for _ in 0..400 {
            data.step(&model).unwrap();
            let islands = data.nisland.max(1);
            let count: i32 = data.solver_niter[..islands].iter().sum();
            steps_without += usize::from(count == 0);
            iterations += count;
        }
        // 1 and 751 in MuJoCo 3.8.0
        assert_eq!((steps_without, iterations), (56, 572), "{cone}");
    }
}
