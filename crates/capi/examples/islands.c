// Rows and dofs in the order of islands: after a step and after an evaluation they show what the engine has found, and after a step
// without constraints none of those before it.
#include <mujoco/mujoco.h>

static const char* said = "";
#include "check.h"

// two stacks on the ground and something in the air, which belongs to no island; the first island has the last dofs
static const char* XML =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='9 9 1'/>"
    "<body pos='0 0 .099'><freejoint/><geom name='low' type='box' size='.1 .1 .1'/></body>"
    "<body pos='3 0 5'><freejoint/><geom size='.1'/></body>"
    "<body pos='2 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='0 0 .297'><joint type='slide' axis='0 0 1' frictionloss='.1'/><geom type='box' size='.1 .1 .1'/></body>"
    "</worldbody></mujoco>";

static void rows(const mjData* d) {
  HOLDS(d->nisland == 2 && d->nefc > 16 && d->nidof == 13);
  for (int i = 0; i < d->nefc; i++) {
    const int row = d->map_iefc2efc[i];
    HOLDS(d->iefc_type[i] == d->efc_type[row] && d->iefc_id[i] == d->efc_id[row]);
    HOLDS(d->iefc_state[i] == d->efc_state[row] && d->iefc_force[i] == d->efc_force[row]);
    HOLDS(d->iefc_D[i] == d->efc_D[row] && d->iefc_R[i] == d->efc_R[row]);
    HOLDS(d->iefc_aref[i] == d->efc_aref[row] && d->iefc_frictionloss[i] == d->efc_frictionloss[row]);
  }
  for (int i = 0; i < d->nidof; i++) {
    const int dof = d->map_idof2dof[i];
    HOLDS(d->ifrc_smooth[i] == d->qfrc_smooth[dof] && d->iacc_smooth[i] == d->qacc_smooth[dof]);
    HOLDS(d->iacc[i] == d->qacc[dof] && d->ifrc_constraint[i] == d->qfrc_constraint[dof]);
  }
}

// a column of a dense Jacobian in the order of islands
static mjtNum jacobian(const mjData* d, int row, int dof) {
  const int island = d->efc_island[d->map_iefc2efc[row]];
  const int first = d->island_iefcadr[island], column = dof - d->island_idofadr[island];
  if (column < 0 || column >= d->island_nv[island]) return 0;
  return d->iefc_J[d->nidof * first + (row - first) * d->island_nv[island] + column];
}

int main(void) {
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(XML, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  said = error;
  HOLDS(m);
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 3; i++) {
    mj_step(m, d);
    rows(d);
  }
  mj_step1(m, d);
  mj_step2(m, d);
  rows(d);

  mj_forward(m, d);
  rows(d);
  m->opt.jacobian = mjJAC_DENSE;
  mj_forward(m, d);
  rows(d);
  for (int i = 0; i < d->nefc; i++) {
    for (int k = 0; k < d->nidof; k++) HOLDS(jacobian(d, i, k) == d->efc_J[d->map_iefc2efc[i] * m->nv + d->map_idof2dof[k]]);
  }
  for (int i = 0; i < d->nidof; i++) {
    const int dof = d->map_idof2dof[i];
    HOLDS(d->iM_rownnz[i] == m->M_rownnz[dof] && d->iLDiagInv[i] == d->qLDiagInv[dof]);
    for (int k = 0; k < d->iM_rownnz[i]; k++) {
      HOLDS(d->iM[d->iM_rowadr[i] + k] == d->M[m->M_rowadr[dof] + k]);
      HOLDS(d->iLD[d->iM_rowadr[i] + k] == d->qLD[m->M_rowadr[dof] + k]);
    }
  }

  // nothing of it is left where there are no constraints
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  mj_step(m, d);
  HOLDS(d->nisland == 0 && d->nefc == 0 && !d->iefc_type && !d->iefc_J && !d->iM && !d->iacc);

  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
