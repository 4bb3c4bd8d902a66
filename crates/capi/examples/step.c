// Loads a model, simulates it for a second, and reads and writes its state in the structs of the headers.
#include <mujoco/mujoco.h>
#include <stdio.h>

static const char* XML =
    "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>"
    "<body name='ball' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

int main(void) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(XML, NULL, error, sizeof(error));
  if (!spec) {
    printf("%s\n", error);
    return 1;
  }
  mjModel* model = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  if (!model) return 1;
  mjData* data = mj_makeData(model);

  // a push to the side, and stronger gravity
  data->qvel[0] = 0.5;
  model->opt.gravity[2] = -20;
  while (data->time < 1) mj_step(model, data);

  int ball = mj_name2id(model, mjOBJ_BODY, "ball");
  printf("after %.3f s: x = %.4f, z = %.4f, %d contacts, %d rows\n", data->time, data->xpos[3 * ball],
         data->xpos[3 * ball + 2], data->ncon, data->nefc);
  int good = data->ncon == 1 && data->contact[0].geom[0] == 0 && data->xpos[3 * ball + 2] < 0.11;
  mj_deleteData(data);
  mj_deleteModel(model);
  return good ? 0 : 1;
}
