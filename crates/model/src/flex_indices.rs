//! Whether the integers of flexes are indices: most of them count within their flex.

use crate::Model;
use crate::indices::{IndexError, check_dimensions, one_of};

/// Numbers of elastic constants for each element.
const ELEMENT_STIFFNESS: usize = 21;
/// Edges of a line, a triangle and a tetrahedron.
const ELEMENT_EDGES: [usize; 3] = [1, 3, 6];

/// An error unless a run of `count` entries from `first` lies in an array of `size` entries.
fn run(field: &'static str, at: usize, first: i32, count: usize, size: usize) -> Result<(), IndexError> {
    if count == 0 { Ok(()) } else { one_of(field, at, first, 0, (size + 1).saturating_sub(count)) }
}

/// An error unless all values lie in `least..count`; indices are counted from `start`.
fn all(
    field: &'static str,
    start: usize,
    values: &[i32],
    least: i32,
    count: usize,
) -> Result<(), IndexError> {
    values.iter().zip(start..).try_for_each(|(&value, at)| one_of(field, at, value, least, count))
}

/// Sizes of a flex, which have been checked to be none that lead out of arrays.
struct FlexSizes {
    dim: usize,
    vert: usize,
    edge: usize,
    elem: usize,
}

impl Model {
    /// An error unless every index in the arrays of flexes is one. Runs of vertices, edges, elements and
    /// nodes have been checked.
    pub(crate) fn check_flexes(&self) -> Result<(), IndexError> {
        check_dimensions("flex_condim", &self.flex_condim)?;
        for flex in 0..self.nflex {
            one_of("flex_dim", flex, self.flex_dim[flex].max(0) - 1, 0, 3)
                .map_err(|_| IndexError::other("flex_dim", flex, self.flex_dim[flex], "1, 2 or", 3))?;
            let sizes = FlexSizes {
                dim: self.flex_dim[flex] as usize,
                vert: self.flex_vertnum[flex] as usize,
                edge: self.flex_edgenum[flex] as usize,
                elem: self.flex_elemnum[flex] as usize,
            };
            self.check_flex_cells(flex, &sizes)?;
            self.check_flex_elements(flex, &sizes)?;
            self.check_flex_edges(flex, &sizes)?;
            self.check_flex_tree(flex, &sizes)?;
        }
        self.check_flex_rows()
    }

    /// Cells of interpolated flexes have their nodes and their stiffness.
    fn check_flex_cells(&self, flex: usize, sizes: &FlexSizes) -> Result<(), IndexError> {
        let order = self.flex_interp[flex];
        one_of("flex_interp", flex, order.saturating_abs(), 0, 3)?;
        let order = order.unsigned_abs() as usize;
        let mut constants = ELEMENT_STIFFNESS * sizes.elem;
        if order > 0 {
            let (mut nodes, mut cells) = (1usize, 1usize);
            for (axis, &count) in self.flex_cellnum[flex].iter().enumerate() {
                let at = 3 * flex + axis;
                one_of("flex_cellnum", at, count, 1, self.nflexnode + 1)
                    .map_err(|_| IndexError::other("flex_cellnum", at, count, "at least", 1))?;
                nodes = nodes.saturating_mul(count as usize * order + 1);
                cells = cells.saturating_mul(count as usize);
            }
            let count = self.flex_nodenum[flex];
            if nodes as u64 != u64::from(count.max(0) as u32) {
                return Err(IndexError::other("flex_nodenum", flex, count, "equal to", nodes as i64));
            }
            constants = cells.saturating_mul((3 * (order + 1).pow(3)).pow(2));
        }
        run("flex_stiffnessadr", flex, self.flex_stiffnessadr[flex], constants, self.nflexstiffness)
    }

    /// Elements and shells have vertices and edges of their flex.
    fn check_flex_elements(&self, flex: usize, sizes: &FlexSizes) -> Result<(), IndexError> {
        let FlexSizes { dim, vert, edge, elem } = *sizes;
        let (adr, count) = (self.flex_elemdataadr[flex], elem * (dim + 1));
        run("flex_elemdataadr", flex, adr, count, self.nflexelemdata)?;
        let start = adr.max(0) as usize;
        all("flex_elem", start, &self.flex_elem[start..start + count], 0, vert)?;
        let coordinates =
            usize::try_from(self.flex_texcoordadr[flex]).map_or(vert, |a| self.nflextexcoord - a);
        all("flex_elemtexcoord", start, &self.flex_elemtexcoord[start..start + count], 0, coordinates)?;
        let (adr, count) = (self.flex_elemedgeadr[flex], elem * ELEMENT_EDGES[dim - 1]);
        run("flex_elemedgeadr", flex, adr, count, self.nflexelemedge)?;
        let start = adr.max(0) as usize;
        all("flex_elemedge", start, &self.flex_elemedge[start..start + count], 0, edge)?;
        let fragments = self.flex_shellnum[flex];
        one_of("flex_shellnum", flex, fragments, 0, self.nflexshelldata + 1)?;
        let (adr, count) = (self.flex_shelldataadr[flex], fragments as usize * dim);
        run("flex_shelldataadr", flex, adr, count, self.nflexshelldata)?;
        let start = adr.max(0) as usize;
        all("flex_shell", start, &self.flex_shell[start..start + count], 0, vert)?;
        let start = self.flex_evpairadr[flex].max(0) as usize;
        for (i, &[e, v]) in
            self.flex_evpair[start..start + self.flex_evpairnum[flex] as usize].iter().enumerate()
        {
            one_of("flex_evpair", 2 * (start + i), e, 0, elem)?;
            one_of("flex_evpair", 2 * (start + i) + 1, v, 0, vert)?;
        }
        Ok(())
    }

    /// Edges have vertices of their flex, and vertices edges.
    fn check_flex_edges(&self, flex: usize, sizes: &FlexSizes) -> Result<(), IndexError> {
        let start = self.flex_edgeadr[flex].max(0) as usize;
        let range = start..start + sizes.edge;
        all("flex_edge", 2 * start, self.flex_edge[range.clone()].as_flattened(), 0, sizes.vert)?;
        all("flex_edgeflap", 2 * start, self.flex_edgeflap[range].as_flattened(), -1, sizes.vert)?;
        let first = self.flex_vertadr[flex].max(0) as usize;
        for vertex in first..first + sizes.vert {
            let (adr, count) = (self.flex_vertedgeadr[vertex], self.flex_vertedgenum[vertex]);
            one_of("flex_vertedgenum", vertex, count, 0, 2 * self.nflexedge + 1)?;
            run("flex_vertedgeadr", vertex, adr, count as usize, 2 * self.nflexedge)?;
            let adr = adr.max(0) as usize;
            let edges = self.flex_vertedge.as_flattened();
            if count > 0 {
                all("flex_vertedge", adr, &edges[adr..adr + count as usize], 0, sizes.edge)?;
            }
        }
        Ok(())
    }

    /// Trees of flexes are behind all others, and their leaves are elements.
    fn check_flex_tree(&self, flex: usize, sizes: &FlexSizes) -> Result<(), IndexError> {
        let (adr, count) = (self.flex_bvhadr[flex], self.flex_bvhnum[flex].max(0) as usize);
        let Ok(first) = usize::try_from(adr) else { return Ok(()) };
        if first < self.nbvhstatic || count == 0 {
            let limit = self.nbvhstatic as i64;
            return Err(IndexError::other(
                "flex_bvhadr",
                flex,
                adr,
                "-1, or the first of nodes and at least",
                limit,
            ));
        }
        self.check_tree(first, count as i32, sizes.elem)?;
        // a node is a leaf with an element, or it has two children
        for node in first..first + count {
            if self.bvh_nodeid[node] < 0 && self.bvh_child[node].contains(&-1) {
                return Err(IndexError::other("bvh_child", 2 * node, -1, "at least", 0));
            }
        }
        Ok(())
    }

    /// Rows of the Jacobian of strains.
    fn check_flex_rows(&self) -> Result<(), IndexError> {
        let counts = self.flexvert_J_rownnz.as_flattened();
        let size = 2 * self.nJfv;
        for (row, (&adr, &count)) in self.flexvert_J_rowadr.as_flattened().iter().zip(counts).enumerate() {
            one_of("flexvert_J_rownnz", row, count, 0, size + 1)?;
            run("flexvert_J_rowadr", row, adr, count as usize, size)?;
        }
        Ok(())
    }
}
