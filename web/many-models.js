// A model that is small enough for a GPU in software.

/** A body on two legs. */
export const WALKER = `<mujoco model="walker">
  <option timestep="0.004"/>
  <default>
    <joint damping="0.5" armature="0.01" range="-60 60" limited="true"/>
    <geom condim="1" rgba="0.35 0.6 0.9 1"/>
  </default>
  <worldbody>
    <geom type="plane" size="5 5 1" condim="3"/>
    <body pos="0 0 0.62">
      <freejoint/>
      <geom type="capsule" size="0.06" fromto="0 -0.1 0.1 0 0.1 0.1" rgba="0.9 0.55 0.2 1"/>
      <body pos="0 0.1 0">
        <joint name="left" axis="0 1 0"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.5"/>
        <geom type="sphere" size="0.06" pos="0 0 -0.55"/>
      </body>
      <body pos="0 -0.1 0">
        <joint name="right" axis="0 1 0"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.5"/>
        <geom type="sphere" size="0.06" pos="0 0 -0.55"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="left" gear="20"/>
    <motor joint="right" gear="20"/>
  </actuator>
</mujoco>`;
