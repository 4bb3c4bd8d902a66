// Steps a model and sends poses of its bodies to the page, 60 times a second.
import { Data, Model } from "./node_modules/kinetree/index.js";

self.onmessage = ({ data: xml }) => {
  const model = Model.fromXml(xml);
  const data = new Data(model).forward();
  self.postMessage({ geoms: model.ngeom, sizes: model.geom_size.slice(), bodies: model.geom_bodyid.slice() });
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    const until = data.time + Math.min((now - last) / 1000, 0.1);
    last = now;
    while (data.time < until) data.step();
    // a copy that is handed over, not shared: no special response headers are needed
    const poses = data.geom_xpos.slice();
    self.postMessage({ time: data.time, poses }, [poses.buffer]);
  }, 1000 / 60);
};
// messages that come before the engine is loaded are lost
self.postMessage("ready");
