import { Data, Model } from "kinetree";

const model = Model.fromXml(`<mujoco><worldbody><body pos="0 0 1">
  <joint name="swing" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/>
</body></worldbody></mujoco>`);
const data = new Data(model);
while (data.time < 2) {
  data.step(100);
  console.log(`${data.time.toFixed(1)} s: ${data.qpos[0].toFixed(3)} rad`);
}
