// Builds a model without a file, compiles it, and writes it as MJCF.
#include <mujoco/mujoco.h>

#include <cstdio>

int main() {
  mjSpec* spec = mj_makeSpec();
  spec->option.timestep = 0.005;
  mjsBody* world = mjs_findBody(spec, "world");
  mjsBody* arm = mjs_addBody(world, nullptr);
  mjs_setName(arm->element, "arm");
  arm->pos[2] = 1;
  mjsJoint* hinge = mjs_addJoint(arm, nullptr);
  hinge->axis[0] = 0, hinge->axis[1] = 1, hinge->axis[2] = 0;
  mjs_setName(hinge->element, "hinge");
  mjsGeom* link = mjs_addGeom(arm, nullptr);
  link->type = mjGEOM_CAPSULE;
  link->fromto[0] = link->fromto[1] = link->fromto[2] = link->fromto[4] = link->fromto[5] = 0;
  link->fromto[3] = 0.5;
  link->size[0] = 0.02;
  mjsActuator* motor = mjs_addActuator(spec, nullptr);
  mjs_setToMotor(motor);
  motor->trntype = mjTRN_JOINT;
  mjs_setString(motor->target, "hinge");

  mjModel* model = mj_compile(spec, nullptr);
  if (!model) {
    std::printf("%s\n", mjs_getError(spec));
    return 1;
  }
  char xml[4000];
  if (mj_saveXMLString(spec, xml, sizeof(xml), nullptr, 0) != 0) return 1;
  std::printf("%s%d dofs, %d actuators\n", xml, (int)model->nv, (int)model->nu);
  bool good = model->nv == 1 && model->nu == 1 && model->opt.timestep == 0.005;
  mj_deleteModel(model);
  mj_deleteSpec(spec);
  return good ? 0 : 1;
}
