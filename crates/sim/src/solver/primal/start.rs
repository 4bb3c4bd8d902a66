//! The start of a solve: the previous acceleration, or the unconstrained one if that costs less.

use super::vectors::dot_of_differences;
use crate::constraint::constraint_update;
use crate::inertia::mass_matrix::mj_mul_m;
use crate::solver::island_problem::IslandProblems;
use kinetree_math::LaneVec;
use kinetree_math::dense::sub_from;
use kinetree_model::enums::DisableBit;
use kinetree_model::{Data, Model};

/// Where a primal solve starts, in the order of the solve.
#[derive(Debug, Default)]
pub(crate) struct PrimalStart {
    /// `J qacc − aref`.
    pub jaref: Vec<f64>,
    /// `M qacc`.
    pub ma: Vec<f64>,
    /// Cost of the rows of each problem, when states and forces of the rows are those of the start.
    rows_cost: Vec<f64>,
    /// `J qacc_smooth − aref`.
    pub smooth: Vec<f64>,
    buf: Vec<f64>,
    lanes: LaneVec,
}

impl PrimalStart {
    /// Sets `qacc` to the better start and `efc_b` to `J qacc_smooth − aref`. `has_warm_product` says that
    /// `ma` holds `M qacc_warmstart` already.
    pub(crate) fn choose(
        &mut self,
        model: &Model,
        data: &mut Data,
        problems: &mut IslandProblems,
        cone_hessian: bool,
        has_warm_product: bool,
    ) {
        let warm = !model.disabled(DisableBit::Warmstart);
        self.residuals(problems, &data.qacc_smooth, warm.then_some(&data.qacc_warmstart[..]));
        let mut b = std::mem::take(&mut data.efc_b);
        problems.restore_rows(data, &mut b, &self.smooth);
        data.efc_b = b;
        if !warm || self.smooth_is_better(model, data, problems, cone_hessian, has_warm_product) {
            data.qacc.copy_from_slice(&data.qacc_smooth);
            self.jaref.clone_from(&self.smooth);
            // the product, not the force it was made from: its rounding decides whether there is anything to
            // improve
            self.ma.resize(model.nv, 0.0);
            mj_mul_m(model, data, &mut self.ma, &data.qacc_smooth);
            self.rows_cost.clear();
        } else {
            data.qacc.copy_from_slice(&data.qacc_warmstart);
            // dofs without constraints are exact already
            if data.nisland > 0 {
                for &dof in &data.map_idof2dof[data.nidof..] {
                    data.qacc[dof as usize] = data.qacc_smooth[dof as usize];
                    self.ma[dof as usize] = data.qfrc_smooth[dof as usize];
                }
            }
        }
        problems.order_dofs(data, &mut self.ma, &mut self.buf);
    }

    /// Evaluates both starts, the warm one last; sets everything for that one.
    fn smooth_is_better(
        &mut self,
        model: &Model,
        data: &mut Data,
        problems: &mut IslandProblems,
        cone_hessian: bool,
        has_warm_product: bool,
    ) -> bool {
        let mut cost_smooth = 0.0;
        self.rows_cost.clear();
        for k in 0..problems.list.len() {
            let [smooth, warm] = start_costs(data, problems, k, [&self.smooth, &self.jaref], cone_hessian);
            cost_smooth += smooth;
            self.rows_cost.push(warm);
        }
        if !has_warm_product {
            self.ma.resize(model.nv, 0.0);
            mj_mul_m(model, data, &mut self.ma, &data.qacc_warmstart);
        }
        let change = dot_of_differences(&self.ma, &data.qfrc_smooth, &data.qacc_warmstart, &data.qacc_smooth);
        self.rows_cost.iter().sum::<f64>() + 0.5 * change > cost_smooth
    }

    /// `J qacc − aref` in the order of the solve, for the unconstrained acceleration and for the previous one
    /// if that is given.
    fn residuals(&mut self, problems: &IslandProblems, qacc_smooth: &[f64], qacc_warm: Option<&[f64]>) {
        let Self { jaref, smooth, lanes, .. } = self;
        let aref = &problems.rows.aref;
        smooth.resize(aref.len(), 0.0);
        jaref.resize(aref.len(), 0.0);
        for problem in &problems.list {
            let jac = problems.blocks.view(problem.blocks.clone());
            lanes.resize(jac.max_width());
            let (smooth, warm) = (&mut smooth[problem.rows.clone()], &mut jaref[problem.rows.clone()]);
            match qacc_warm {
                Some(qacc_warm) => jac.mul_both([smooth, warm], [qacc_smooth, qacc_warm], lanes),
                None => jac.mul(smooth, qacc_smooth, lanes),
            }
        }
        sub_from(smooth, aref);
        if qacc_warm.is_some() {
            sub_from(jaref, aref);
        }
    }

    /// Cost of the rows of a problem, when their states and forces are those of the start.
    pub(crate) fn rows_cost(&self, problem: usize) -> Option<f64> {
        self.rows_cost.get(problem).copied()
    }
}

/// Costs of a problem's rows for two residuals; sets their states and forces for the second one.
fn start_costs(
    data: &mut Data,
    problems: &mut IslandProblems,
    k: usize,
    [first, second]: [&[f64]; 2],
    cone_hessian: bool,
) -> [f64; 2] {
    let problem = &problems.list[k];
    let mut force = std::mem::take(&mut problems.rows.force);
    let mut state = std::mem::take(&mut problems.rows.state);
    let (rows, range) = (problems.rows.view(problem), problem.rows.clone());
    let (of_state, of_force) = (&mut state[range.clone()], &mut force[range.clone()]);
    let mut cost = |jaref: &[f64], cone_hessian: bool| {
        constraint_update(&rows, &jaref[range.clone()], &mut data.contact, of_state, of_force, cone_hessian)
    };
    let costs = [cost(first, false), cost(second, cone_hessian)];
    problems.rows.force = force;
    problems.rows.state = state;
    costs
}
