"""Terrain to walk on: slopes, stairs, stones and noise in tiles that get harder from row to row, and a curriculum over them.

::

    terrain = Terrain(kinds=("slope", "stairs", "stones", "noise"), levels=8)
    terrain.add_to(spec)                              # one height field; `as_boxes=True` for boxes where a kind is made of them
    curriculum = Curriculum(terrain, num_envs=1024)
    qpos[world, :3] += curriculum.origin(world)       # where a world begins
    curriculum.update(ended, distances)               # harder for those that came far, easier for those that did not

A tile is flat at its middle, where a robot begins. Heights are in metres over the ground.
"""

import numpy as np

from kinetree.enums import mjtGeom

__all__ = ["KINDS", "Curriculum", "Terrain"]

# share of a tile's side that is flat, around its middle
_FLAT = 0.2


def _rings(size, cell):
    """Distance of each cell from the middle of a tile, as squares around it, and of the edge of the flat part."""
    count = round(size / cell)
    offsets = np.abs((np.arange(count) + 0.5) * cell - size / 2)
    return np.maximum(offsets[:, None], offsets[None, :]), _FLAT * size / 2


def slope(size, cell, difficulty, random):
    """A pyramid that falls from its middle; at difficulty 1 by 40 percent."""
    del random
    rings, flat = _rings(size, cell)
    heights = -0.4 * difficulty * np.clip(rings - flat, 0, None)
    return heights - heights.min()


def stairs(size, cell, difficulty, random, tread=0.3):
    """Stairs down on all sides; at difficulty 1 with steps of 20 cm."""
    del random
    rings, flat = _rings(size, cell)
    heights = -0.2 * difficulty * np.ceil(np.clip(rings - flat, 0, None) / tread)
    return heights - heights.min()


def stones(size, cell, difficulty, random, side=0.5):
    """Square stones with gaps between them; at difficulty 1 they differ by 20 cm and are as far apart as a third of their side."""
    rings, flat = _rings(size, cell)
    count = rings.shape[0]
    step = max(round(side / cell), 2)
    places = np.arange(count)
    gap = (places % step) >= step * (1 - difficulty / 3)
    each = random.uniform(-1, 1, (count // step + 1, count // step + 1))
    heights = 0.1 * difficulty * each[places[:, None] // step, places[None, :] // step]
    heights = np.where(gap[:, None] | gap[None, :], -0.3 * difficulty, heights)
    heights = np.where(rings <= flat, 0.0, heights)
    return heights - heights.min()


def noise(size, cell, difficulty, random):
    """Rough ground; at difficulty 1 by 10 cm."""
    rings, flat = _rings(size, cell)
    count = rings.shape[0]
    coarse = random.uniform(-1, 1, (count // 2 + 2, count // 2 + 2))
    places = np.arange(count) / 2
    rows = np.array([np.interp(places, np.arange(coarse.shape[1]), row) for row in coarse])
    heights = np.array([np.interp(places, np.arange(coarse.shape[0]), column) for column in rows.T]).T
    heights = np.where(rings <= flat, 0.0, 0.05 * difficulty * heights)
    return heights - heights.min()


KINDS = {"slope": slope, "stairs": stairs, "stones": stones, "noise": noise}
"""Functions of the side of a tile, the side of a cell, a difficulty from 0 to 1 and random numbers, which give heights."""


class Terrain:
    """Tiles in rows of growing difficulty, with a column for each kind.

    Args:
        kinds: names of `KINDS`, or functions like those.
        levels: number of rows.
        size: side of a tile (m).
        cell: side of a cell of the height field (m).
        seed: of the random numbers.
    """

    def __init__(self, kinds=("slope", "stairs", "stones", "noise"), levels=5, size=8.0, cell=0.1, seed=0):
        unknown = [kind for kind in kinds if not callable(kind) and kind not in KINDS]
        if unknown or not kinds:
            raise ValueError(f"there is no terrain {unknown[0]!r}; there are {', '.join(KINDS)}" if unknown else "a terrain needs a kind")
        if levels < 1 or not 0 < cell <= size / 10:
            raise ValueError(f"a terrain has at least 1 level, and a tile at least 10 cells along a side; "
                             f"levels is {levels}, size {size}, cell {cell}")
        self.kinds, self.levels, self.size, self.cell = tuple(kinds), levels, float(size), float(cell)
        random = np.random.default_rng(seed)
        make = [kind if callable(kind) else KINDS[kind] for kind in self.kinds]
        self._tiles = [[one(self.size, self.cell, (level + 1) / levels, random) for one in make] for level in range(levels)]
        self.heights = np.block(self._tiles)
        """Heights of all cells (m): rows go along x, by level, columns along y, by kind."""

    def origin(self, level, kind):
        """The middle of a tile, on the ground."""
        x = (level - (self.levels - 1) / 2) * self.size
        y = (kind - (len(self.kinds) - 1) / 2) * self.size
        tile = self._tiles[level][kind]
        middle = tile.shape[0] // 2
        return np.array([x, y, tile[middle, middle]])

    def add_to(self, spec, name="terrain", as_boxes=False, **fields):
        """Adds the terrain to a description: a height field, or with `as_boxes` a box for each rectangle of equal height, which collides
        faster and has sharp edges, and suits stairs and stones. Further fields are those of the geoms."""
        if as_boxes:
            return self._add_boxes(spec, name, fields)
        rows, columns = self.heights.shape
        top = max(float(self.heights.max()), 1e-3)
        # rows of a height field go along y; its heights are at the middles of cells
        values = (self.heights.T / top).ravel()
        spec.add_hfield(name=name, nrow=columns, ncol=rows, userdata=values,
                        size=[(rows - 1) * self.cell / 2, (columns - 1) * self.cell / 2, top, 0.1])
        return [spec.worldbody.add_geom(name=name, type=mjtGeom.mjGEOM_HFIELD, hfieldname=name, **fields)]

    def _add_boxes(self, spec, name, fields):
        geoms = []
        middle = np.array(self.heights.shape) * self.cell / 2
        for first, last, height in _rectangles(self.heights):
            low, high = np.array(first) * self.cell - middle, np.array(last) * self.cell - middle
            half = np.append((high - low) / 2, (height + 0.1) / 2)
            pos = np.append((low + high) / 2, height - half[2])
            geoms.append(spec.worldbody.add_geom(name=f"{name}{len(geoms)}", type=mjtGeom.mjGEOM_BOX, size=half, pos=pos, **fields))
        return geoms


def _rectangles(heights):
    """Rectangles of equal height that cover a table, as corners and heights; each as large as it can be from its first cell on."""
    done = np.zeros(heights.shape, bool)
    for i, j in np.ndindex(*heights.shape):
        if done[i, j]:
            continue
        same = (heights[i, j:] == heights[i, j]) & ~done[i, j:]
        width = len(same) if same.all() else int(np.argmin(same))
        last = i + 1
        while last < len(heights) and ((heights[last, j:j + width] == heights[i, j]) & ~done[last, j:j + width]).all():
            last += 1
        done[i:last, j:j + width] = True
        yield (i, j), (last, j + width), float(heights[i, j])


class Curriculum:
    """The tile of each world: one level up after an episode that came far, one down after one that did not.

    Args:
        terrain: the terrain.
        num_envs: number of worlds; kinds are dealt out evenly.
        promote: distance after which a world goes up (m); half a tile without it.
        demote: distance below which a world goes down (m); a quarter of `promote` without it.
        seed: of the random numbers: worlds that master the last level get any level.
    """

    def __init__(self, terrain, num_envs, promote=None, demote=None, seed=0):
        self.terrain = terrain
        self.levels = np.zeros(num_envs, int)
        """The level of each world."""
        self.kinds = np.arange(num_envs) % len(terrain.kinds)
        """The kind of each world, by its index in `terrain.kinds`."""
        self.promote = terrain.size / 2 if promote is None else promote
        self.demote = self.promote / 4 if demote is None else demote
        self._random = np.random.default_rng(seed)

    def origin(self, world):
        """Where a world begins."""
        return self.terrain.origin(self.levels[world], self.kinds[world])

    def update(self, ended, distances):
        """Takes the distances of worlds whose episode has ended: flags of them or their numbers, and a distance for each world."""
        ended, distances = np.asarray(ended), np.asarray(distances, float)
        worlds = np.flatnonzero(ended) if ended.dtype == bool else ended.astype(int)
        if distances.shape != self.levels.shape:
            raise ValueError(f"there must be a distance for each of {len(self.levels)} worlds, but their shape is {distances.shape}")
        levels = self.levels[worlds] + (distances[worlds] > self.promote) - (distances[worlds] < self.demote)
        done = levels >= self.terrain.levels
        levels[done] = self._random.integers(self.terrain.levels, size=int(done.sum()))
        self.levels[worlds] = np.maximum(levels, 0)
