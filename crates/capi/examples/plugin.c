// Plugins whose functions are written in C: an actuator that pushes with the number of steps, a sensor that
// counts, and a signed distance field that counts searches; each instance keeps memory of its own, which is given back.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int made = 0, gone = 0;

#define CHECK(condition)                                            \
  if (!(condition)) {                                               \
    printf("line %d: %s does not hold\n", __LINE__, #condition);    \
    exit(1);                                                        \
  }

static int one(const mjModel* m, int instance) { return 1; }
static int none(const mjModel* m, int instance) { return 0; }

// the sensor gives as many numbers as its attribute says
static int width(const mjModel* m, int instance, int sensor) {
  CHECK(m->sensor_plugin[sensor] == instance);
  return atoi(mj_getPluginConfig(m, instance, "width"));
}

static int init(const mjModel* m, mjData* d, int instance) {
  int* memory = malloc(sizeof(int));
  *memory = 0;
  d->plugin_data[instance] = (uintptr_t)memory;
  made++;
  return 0;
}

static void destroy(mjData* d, int instance) {
  free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
  gone++;
}

static void copy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  *(int*)dest->plugin_data[instance] = *(int*)src->plugin_data[instance];
}

static void reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  *(int*)data = 0;
  if (m->plugin_statenum[instance]) state[0] = 0;
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  int steps = *(int*)d->plugin_data[instance];
  if (capability == mjPLUGIN_ACTUATOR) {
    for (int i = 0; i < m->nu; i++) {
      if (m->actuator_plugin[i] == instance) d->actuator_force[i] = steps;
    }
  }
  if (capability == mjPLUGIN_SENSOR) {
    for (int i = 0; i < m->nsensor; i++) {
      if (m->sensor_plugin[i] != instance) continue;
      for (int k = 0; k < m->sensor_dim[i]; k++) d->sensordata[m->sensor_adr[i] + k] = 10 * steps + k;
    }
  }
}

static void advance(const mjModel* m, mjData* d, int instance) {
  ++*(int*)d->plugin_data[instance];
  if (m->plugin_statenum[instance]) d->plugin_state[m->plugin_stateadr[instance]] += 1;
}

static const mjData* asked;
static mjtNum distance(const mjtNum point[3], const mjData* d, int instance) {
  asked = d;
  return mju_norm3(point) - 0.5;
}
static mjtNum grown = 0;
static mjtNum static_distance(const mjtNum point[3], const mjtNum* attributes) { return mju_norm3(point) - attributes[0] - grown; }
static void gradient(mjtNum result[3], const mjtNum point[3], const mjData* d, int instance) {
  mju_copy3(result, point);
  mju_normalize3(result);
}
static void attribute(mjtNum values[], const char* names[], const char* texts[]) {
  CHECK(!strcmp(names[0], "radius"));
  values[0] = texts[0][0] ? atof(texts[0]) : 0.5;
}
static void box(mjtNum aabb[6], const mjtNum* attributes) {
  mju_zero3(aabb);
  aabb[3] = aabb[4] = aabb[5] = 1.2 * attributes[0];
}

// searches in the field, and the descents that they consist of; a search resets what is remembered, and no state
static int searches, descents;
static void begin_search(const mjModel* m, mjtNum* state, void* data, int instance) { searches += !state; }
static void begin_descent(const mjModel* m, mjData* d, int instance, int capability) {
  CHECK(capability == mjPLUGIN_SDF);
  asked = d;
  descents++;
}

static void register_all(void) {
  const char* width_name[] = {"width"};
  const char* radius_name[] = {"radius"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "example.push";
  plugin.capabilityflags = mjPLUGIN_ACTUATOR;
  plugin.nstate = one;
  plugin.init = init, plugin.destroy = destroy, plugin.copy = copy;
  plugin.reset = reset, plugin.compute = compute, plugin.advance = advance;
  int slot = mjp_registerPlugin(&plugin);
  CHECK(slot >= 0 && mjp_registerPlugin(&plugin) == slot);

  plugin.name = "example.count";
  plugin.capabilityflags = mjPLUGIN_SENSOR;
  plugin.needstage = mjSTAGE_POS;
  plugin.nattribute = 1, plugin.attributes = width_name;
  plugin.nsensordata = width;
  mjp_registerPlugin(&plugin);

  mjp_defaultPlugin(&plugin);
  plugin.name = "example.ball";
  plugin.capabilityflags = mjPLUGIN_SDF;
  plugin.nattribute = 1, plugin.attributes = radius_name;
  plugin.nstate = none;
  plugin.sdf_distance = distance, plugin.sdf_gradient = gradient, plugin.sdf_staticdistance = static_distance;
  plugin.sdf_attribute = attribute, plugin.sdf_aabb = box;
  plugin.reset = begin_search, plugin.compute = begin_descent;
  mjp_registerPlugin(&plugin);
}

static const char* xml =
    "<mujoco><extension><plugin plugin='example.push'/><plugin plugin='example.count'/>"
    "<plugin plugin='example.ball'><instance name='ball'><config key='radius' value='.5'/></instance></plugin></extension>"
    "<asset><mesh name='ball'><plugin instance='ball'/></mesh></asset>"
    "<worldbody><geom type='plane' size='5 5 .1'/><geom size='.1' pos='0 0 1'/>"
    "<body pos='0 0 .45'><freejoint/><geom type='sdf' mesh='ball'><plugin instance='ball'/></geom></body>"
    "<body pos='3 0 2'><joint name='slide' type='slide'/><geom size='.1'/></body></worldbody>"
    "<actuator><plugin joint='slide' plugin='example.push'/></actuator>"
    "<sensor><plugin plugin='example.count'><config key='width' value='3'/></plugin></sensor></mujoco>";

// a model that was saved does the same when it is loaded, state, sensors and fields of plugins included
static void check_saved(const mjModel* m) {
  int size = mj_sizeModel(m);
  void* bytes = malloc(size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* loaded = mj_loadModelBuffer(bytes, size);
  free(bytes);
  CHECK(loaded && loaded->npluginstate == 2 && loaded->nsensordata == 3);
  mjData *d = mj_makeData(m), *other = mj_makeData(loaded);
  for (int i = 0; i < 100; i++) mj_step(m, d), mj_step(loaded, other);
  CHECK(d->ncon && d->plugin_state[0] == 100 && d->sensordata[0] > 0);
  CHECK(!memcmp(d->qpos, other->qpos, m->nq * sizeof(mjtNum)));
  CHECK(!memcmp(d->sensordata, other->sensordata, 3 * sizeof(mjtNum)));
  CHECK(!memcmp(d->plugin_state, other->plugin_state, 2 * sizeof(mjtNum)));
  mj_deleteData(d);
  mj_deleteData(other);
  mj_deleteModel(loaded);
  CHECK(made == gone);
}

// what is kept of meshes that were compiled before does not hide that a field is another one now
static void check_grown(mjSpec* spec, const mjModel* before) {
  mjModel* same = mj_compile(spec, NULL);
  grown = 0.05;
  mjModel* larger = mj_compile(spec, NULL);
  grown = 0;
  CHECK(same && larger);
  const mjModel* models[] = {before, same, larger};
  const mjtNum radius[] = {0.5, 0.5, 0.55};
  for (int k = 0; k < 3; k++) {
    double farthest = 0;
    for (int i = 0; i < models[k]->nmeshvert; i++) {
      const float* v = models[k]->mesh_vert + 3 * i;
      farthest = fmax(farthest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    CHECK(fabs(farthest - radius[k]) < 0.02);
  }
  mj_deleteModel(same);
  mj_deleteModel(larger);
}

int main(void) {
  register_all();
  char error[1000];
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) printf("%s\n", error);
  CHECK(spec);
  mjModel* m = mj_compile(spec, NULL);
  if (!m) printf("%s\n", mjs_getError(spec));
  CHECK(m && m->nsensordata == 3 && m->npluginstate == 2);
  CHECK(made == gone);
  check_saved(m);
  check_grown(spec, m);
  int before = made;
  mjData* d = mj_makeData(m);
  CHECK(made == before + 2 && made == gone + 2);
  for (int i = 0; i < 5; i++) mj_step(m, d);
  mj_forward(m, d);
  CHECK(d->actuator_force[0] == 5);
  CHECK(d->sensordata[0] == 50 && d->sensordata[2] == 52);
  CHECK(d->plugin_state[0] == 5);
  // the ball is half a millimetre or so in the plane, by the distance of C
  CHECK(d->ncon > 0);
  mjData* other = mj_copyData(NULL, m, d);
  CHECK(made == gone + 4 && other->plugin_data[1] != d->plugin_data[1]);
  mj_step(m, other);
  mj_forward(m, other);
  CHECK(other->actuator_force[0] == 6 && d->actuator_force[0] == 5);
  mj_resetData(m, d);
  mj_forward(m, d);
  CHECK(d->actuator_force[0] == 0 && d->plugin_state[0] == 0);

  // the sphere is one search in the field, the plane none, and a ray one without descents
  searches = descents = 0;
  mj_forward(m, d);
  CHECK(searches == 1 && descents == m->opt.sdf_initpoints && asked == d);
  mjtNum above[3] = {0.2, 0, 3}, down[3] = {0, 0, -1};
  int hit;
  mj_ray(m, d, above, down, NULL, 1, -1, &hit, NULL);
  CHECK(hit == m->ngeom - 2 && searches == 2 && descents == m->opt.sdf_initpoints);

  int geom = m->ngeom - 2;
  const mjpPlugin* record = mjc_getSDF(m, geom);
  mjtGeom type = mjGEOM_SDF;
  mjtNum point[3] = {0, 0, 2}, slope[3];
  mjSDF sdf = {&record, m->geom_plugin + geom, mjSDFTYPE_SINGLE, NULL, NULL, &type};
  CHECK(record && record->sdf_distance == distance);
  CHECK(mjc_distance(m, d, &sdf, point) == 1.5 && asked == d);
  mjc_gradient(m, d, &sdf, slope, point);
  CHECK(slope[2] == 1);

  mj_deleteData(other);
  CHECK(made == gone + 2);
  // where a description cannot be compiled again, model and data are deleted
  for (int i = 0; i < 2; i++) mjs_setName(mjs_addMaterial(spec, NULL)->element, "twice");
  CHECK(mj_recompile(spec, NULL, m, d) == -1 && mjs_getError(spec)[0]);
  CHECK(made == gone);
  // and memory for a model that was not made
  mjModel* room = mju_malloc(sizeof(mjModel));
  room->buffer = NULL;
  CHECK(mj_recompile(spec, NULL, room, NULL) == -1);
  mj_deleteSpec(spec);
  return 0;
}
