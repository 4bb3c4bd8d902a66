//! Models that the tests share.

use kinetree_model::Model;

/// A cart with a pole that hangs down at rest.
pub(crate) fn cart_pole() -> Model {
    kinetree_spec::load_model_str(
        "<mujoco>
           <option timestep='0.02' integrator='implicitfast'/>
           <worldbody>
             <body>
               <joint name='slider' type='slide' axis='1 0 0' damping='0.05'/>
               <geom type='box' size='.1 .1 .1' mass='1' contype='0' conaffinity='0'/>
               <body>
                 <joint name='hinge' axis='0 1 0' damping='0.01'/>
                 <geom type='capsule' fromto='0 0 0 0 0 -0.6' size='.03' mass='.1' contype='0' conaffinity='0'/>
                 <site name='tip' pos='0 0 -0.6'/>
               </body>
             </body>
           </worldbody>
           <actuator><motor joint='slider' gear='10' ctrlrange='-1 1'/></actuator>
           <sensor><framepos objtype='site' objname='tip'/></sensor>
         </mujoco>",
    )
    .unwrap()
}

/// A mass on a line, whose steps are linear in state and control.
pub(crate) fn line() -> Model {
    kinetree_spec::load_model_str(
        "<mujoco>
           <option timestep='0.05' gravity='0 0 0'/>
           <worldbody><body><joint name='j' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body></worldbody>
           <actuator><motor joint='j'/></actuator>
         </mujoco>",
    )
    .unwrap()
}

/// An arm on a ball joint with three motors, and an activation.
pub(crate) fn ball() -> Model {
    kinetree_spec::load_model_str(
        "<mujoco>
           <option timestep='0.02'/>
           <worldbody>
             <body>
               <joint name='ball' type='ball' damping='.1'/>
               <geom type='capsule' fromto='0 0 0 .3 0 0' size='.04' mass='1' contype='0' conaffinity='0'/>
               <site name='tip' pos='.3 0 0'/>
             </body>
           </worldbody>
           <actuator>
             <motor joint='ball' gear='1 0 0'/>
             <motor joint='ball' gear='0 1 0'/>
             <general joint='ball' gear='0 0 1' dyntype='filter' dynprm='.1'/>
           </actuator>
           <sensor><framepos objtype='site' objname='tip'/><ballangvel joint='ball'/></sensor>
         </mujoco>",
    )
    .unwrap()
}

/// A mass on a line whose motor is late.
pub(crate) fn delayed() -> Model {
    kinetree_spec::load_model_str(
        "<mujoco>
           <worldbody><body><joint name='j' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>
           <actuator><motor name='late' joint='j' delay='0.02' nsample='10'/></actuator>
         </mujoco>",
    )
    .unwrap()
}

/// A box that floats, with six thrusters and a sensor of its place.
pub(crate) fn floating() -> Model {
    let thruster = |axis: usize| {
        let gear: Vec<&str> = (0..6).map(|i| if i == axis { "1" } else { "0" }).collect();
        format!("<motor site='s' gear='{}'/>", gear.join(" "))
    };
    let thrusters: String = (0..6).map(thruster).collect();
    kinetree_spec::load_model_str(&format!(
        "<mujoco>
           <option timestep='0.05' gravity='0 0 0'/>
           <worldbody>
             <body><freejoint/><geom type='box' size='.3 .2 .1' mass='2'/><site name='s'/></body>
           </worldbody>
           <actuator>{thrusters}</actuator>
           <sensor><framepos objtype='site' objname='s'/></sensor>
         </mujoco>"
    ))
    .unwrap()
}
