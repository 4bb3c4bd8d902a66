// Hashes of trajectories, as the example `trajectory_bits` prints them; in Node and in browsers.

/** FNV-1a, two 32-bit halves at a time: products of 64-bit integers by hand are quicker than big ones. */
class Fnv {
  high = 0xcbf29ce4;
  low = 0x84222325;

  add(array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let { high, low } = this;
    for (const byte of bytes) {
      low = (low ^ byte) >>> 0;
      // times 2^40 + 0x1b3
      const small = low * 0x1b3;
      high = (high * 0x1b3 + Math.floor(small / 0x1_0000_0000) + ((low << 8) >>> 0)) % 0x1_0000_0000;
      low = small % 0x1_0000_0000;
    }
    Object.assign(this, { high, low });
  }

  text() {
    return [this.high, this.low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}

/** Hash of a model and of so many steps with controls that swing. */
export function trajectoryHash({ Model, Data }, files, main, steps) {
  const model = Model.fromFiles(files, main);
  const data = new Data(model);
  const sum = new Fnv();
  sum.add(model.toBinary());
  for (let step = 0; step < steps; step++) {
    data.ctrl.forEach((_, i, ctrl) => (ctrl[i] = ((step * (3 + i)) % 64) / 32 - 1));
    data.step();
    for (const name of ["qpos", "qvel", "act", "qacc", "qfrc_constraint", "sensordata", "efc_force"]) sum.add(data[name]);
    for (const contact of data.contact) sum.add(contact.pos);
  }
  data.free();
  model.free();
  return sum.text();
}
