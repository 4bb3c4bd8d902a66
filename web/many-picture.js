// A picture of worlds beside each other: shapes of their bodies as strokes and outlines, in perspective, far ones first.

/** Numbers of the shapes in a model. */
const [SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX] = [2, 3, 4, 5, 6];
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);

/** Shapes of moving bodies, with what their picture needs. */
function shapesOf(model) {
  const shapes = [];
  for (let g = 0; g < model.ngeom; g++) {
    const kind = model.geom_type[g];
    if (model.body_weldid[model.geom_bodyid[g]] === 0 || model.geom_group[g] > 2) continue;
    const material = model.geom_matid[g];
    const plain = model.geom_rgba.slice(4 * g, 4 * g + 4);
    const rgba = material >= 0 ? model.mat_rgba.slice(4 * material, 4 * material + 4) : plain;
    if (rgba[3] === 0) continue;
    const size = [...model.geom_size.slice(3 * g, 3 * g + 3)];
    shapes.push({ g, kind, size, bound: model.geom_rbound[g], colour: [...rgba].slice(0, 3) });
  }
  return shapes;
}

/** The outline of points in the plane, counterclockwise. */
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Draws worlds of a model into a canvas. */
export class Picture {
  /** Worlds are posed one after the other in `data`, by `pose()`. */
  constructor(canvas, model, data, pose, count) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.data = data;
    this.pose = pose;
    this.shapes = shapesOf(model);
    this.columns = Math.max(1, Math.round(Math.sqrt(count * 1.35)));
    this.rows = Math.ceil(count / this.columns);
    // room for each world: as far as its shapes reach in the first state
    pose();
    let reach = 0.3;
    for (const { g, bound } of this.shapes) {
      const [x, y, z] = data.geom_xpos.slice(3 * g, 3 * g + 3);
      reach = Math.max(reach, Math.hypot(x, y) + bound, 0.75 * (z + bound));
    }
    this.cell = 1.5 * reach;
  }

  /** Where a world stands. */
  place(world) {
    const [row, column] = [Math.floor(world / this.columns), world % this.columns];
    return [(column - (this.columns - 1) / 2) * this.cell, row * this.cell];
  }

  /** Fits the canvas to the page, and finds the camera. */
  begin() {
    const { canvas } = this;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    this.ink = getComputedStyle(canvas);
    const pitch = 0.62;
    const [wide, deep] = [this.columns * this.cell, this.rows * this.cell];
    // from farther away than the worlds reach; then as large as they fit
    const camera = { lens: 1, away: 1.1 * Math.hypot(wide, deep), sin: Math.sin(pitch), cos: Math.cos(pitch), middle: 0.5 * (deep - this.cell), x: 0, y: 0 };
    this.camera = camera;
    const corners = CORNERS.map(([i, j, k]) => this.project((i * wide) / 2, camera.middle + (j * deep) / 2, k > 0 ? 0.6 * this.cell : 0));
    const [[left, right], [top, bottom]] = [0, 1].map((i) => corners.map((p) => p[i])).map((list) => [Math.min(...list), Math.max(...list)]);
    camera.lens = 0.96 * Math.min(width / (right - left), height / (bottom - top));
    camera.x = (width - camera.lens * (left + right)) / 2;
    camera.y = (height - camera.lens * (top + bottom)) / 2;
    this.pen.clearRect(0, 0, width, height);
  }

  /** A point in the picture, and how many pixels a metre has there. */
  project(x, y, z) {
    const { lens, away, sin, cos, middle, x: x0, y: y0 } = this.camera;
    const along = y - middle;
    const depth = away + cos * along - sin * z;
    const scale = lens / Math.max(depth, 0.1 * away);
    return [x0 + x * scale, y0 - (sin * along + cos * z) * scale, scale, depth];
  }

  /** Draws worlds from rows of positions. */
  draw(positions) {
    this.begin();
    const nq = this.data.qpos.length;
    const shown = Math.min(this.columns * this.rows, positions.length / nq);
    for (let world = shown - 1; world >= 0; world--) {
      this.data.qpos.set(positions.subarray(nq * world, nq * (world + 1)));
      this.pose();
      this.world(this.place(world));
    }
  }

  world([x0, y0]) {
    const { pen, cell } = this;
    const tile = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => this.project(x0 + 0.47 * cell * i, y0 + 0.47 * cell * j, 0));
    pen.fillStyle = this.ink.getPropertyValue("--tile");
    this.fill(tile);
    const placed = this.shapes.map((shape) => {
      const [x, y, z] = this.data.geom_xpos.slice(3 * shape.g, 3 * shape.g + 3);
      const m = this.data.geom_xmat.slice(9 * shape.g, 9 * shape.g + 9);
      return { shape, m, at: [x + x0, y + y0, z], depth: this.project(x + x0, y + y0, z)[3] };
    });
    pen.fillStyle = pen.strokeStyle = this.ink.getPropertyValue("--shadow");
    for (const { shape, m, at } of placed) this.shape(shape, m, at, true);
    placed.sort((a, b) => b.depth - a.depth);
    for (const { shape, m, at } of placed) {
      pen.fillStyle = pen.strokeStyle = `rgb(${shape.colour.map((c) => Math.round(255 * c)).join(" ")})`;
      this.shape(shape, m, at, false);
    }
  }

  /** A shape, or its shadow on the ground. */
  shape({ kind, size, bound }, m, at, flat) {
    const { pen } = this;
    const point = (x, y, z) => {
      const p = at.map((a, i) => a + m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z);
      return this.project(p[0], p[1], flat ? 0 : p[2]);
    };
    if (kind === CAPSULE || kind === CYLINDER) {
      const [a, b] = [point(0, 0, size[1]), point(0, 0, -size[1])];
      pen.lineCap = kind === CAPSULE ? "round" : "butt";
      pen.lineWidth = 2 * size[0] * 0.5 * (a[2] + b[2]);
      pen.beginPath();
      pen.moveTo(a[0], a[1]);
      pen.lineTo(b[0], b[1]);
      pen.stroke();
    } else if (kind === BOX) {
      this.fill(hull(CORNERS.map(([i, j, k]) => point(i * size[0], j * size[1], k * size[2]))));
    } else {
      const radius = kind === SPHERE ? size[0] : kind === ELLIPSOID ? Math.cbrt(size[0] * size[1] * size[2]) : 0.6 * bound;
      const [x, y, scale] = point(0, 0, 0);
      pen.beginPath();
      pen.ellipse(x, y, radius * scale, radius * scale * (flat ? this.camera.sin : 1), 0, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  fill(points) {
    this.pen.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? this.pen.moveTo(x, y) : this.pen.lineTo(x, y)));
    this.pen.closePath();
    this.pen.fill();
  }
}
