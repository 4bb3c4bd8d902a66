// The lives of plugin instances: each data has one of each plugin, made in the struct that the program gets, whatever is called inside of
// what, left by an error or refused; it is given back once. With -DREFERENCE the program also runs with the
// reference's library, which leaves to a program what was made before a plugin refused.
#include <math.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static _Thread_local jmp_buf out;
static _Thread_local char said[1024];
static atomic_int made, gone, copied, resets, computed[5], refusing;
static _Thread_local mjData* made_in;
static _Thread_local const mjData* copied_from;
static _Thread_local mjData* gone_with;
static _Thread_local int nested, leave;
static _Thread_local double seen;

static void onerror(const char* message) {
  strncpy(said, message, sizeof(said) - 1);
  longjmp(out, 1);
}

static int none(const mjModel* m, int instance) { return 0; }
static int two(const mjModel* m, int instance) { return 2; }
static int width(const mjModel* m, int instance, int sensor) { return 1; }

static int init(const mjModel* m, mjData* d, int instance) {
  if (refusing && instance == refusing) return -1;
  made_in = d;
  made++;
  d->plugin_data[instance] = (uintptr_t)malloc(8);
  return 0;
}

static void destroy(mjData* d, int instance) {
  gone++;
  gone_with = d;
  HOLDS(instance < d->nplugin && d->plugin[instance] >= 0 && d->qpos && d->plugin_data[instance]);
  free((void*)d->plugin_data[instance]);
}

static void copy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  copied++;
  copied_from = src;
  HOLDS(dest->plugin_data[instance] && dest->plugin_data[instance] != src->plugin_data[instance]);
}

static void reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  resets++;
  HOLDS(data);
}

// what a plugin or a callback does to constraint rows in the middle of an evaluation
static _Thread_local int pushing;

static void push(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->nefc; i++) d->efc_aref[i] += 50;
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  const uintptr_t memory = d->plugin_data[instance];
  HOLDS(memory);
  computed[capability]++;
  // sensors of plugins come after those of the engine
  if (capability == mjPLUGIN_SENSOR && m->nsensor > 1) {
    seen = d->sensordata[m->sensor_adr[1]];
    d->sensordata[m->sensor_adr[0]] = 7;
  }
  if (pushing && capability == mjPLUGIN_ACTUATOR) push(m, d);
  if (leave && !--leave) mju_error("left");
  if (nested) {
    nested--;
    mj_kinematics(m, d);
    mj_fwdPosition(m, d);
    mj_forward(m, d);
    // another data inside of this one's call
    mjData* inside = mj_makeData(m);
    HOLDS(inside->plugin_data[instance] && inside->plugin_data[instance] != memory);
    mj_step(m, inside);
    mj_deleteData(inside);
  }
  HOLDS(d->plugin_data[instance] == memory);
}

static void advance(const mjModel* m, mjData* d, int instance) { d->plugin_state[m->plugin_stateadr[instance]] += 1; }

static void control(const mjModel* m, mjData* d) {
  static _Thread_local int inside;
  if (inside || !m->nplugin) return;
  inside = 1;
  mj_forward(m, d);
  mj_fwdActuation(m, d);
  inside = 0;
}

static mjtNum distance(const mjtNum point[3], const mjData* d, int instance) { return mju_norm3(point) - 0.5; }

static void register_all(void) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "lives.all";
  plugin.capabilityflags = mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR | mjPLUGIN_PASSIVE;
  plugin.needstage = mjSTAGE_POS;
  plugin.nstate = two, plugin.nsensordata = width;
  plugin.init = init, plugin.destroy = destroy, plugin.copy = copy;
  plugin.reset = reset, plugin.compute = compute, plugin.advance = advance;
  HOLDS(mjp_registerPlugin(&plugin) >= 0);
  // a field that no mesh is made from needs the functions of a world only
  mjp_defaultPlugin(&plugin);
  plugin.name = "lives.field";
  plugin.capabilityflags = mjPLUGIN_SDF | mjPLUGIN_PASSIVE;
  plugin.nstate = none, plugin.compute = compute, plugin.sdf_distance = distance;
  plugin.init = init, plugin.destroy = destroy, plugin.copy = copy, plugin.reset = reset;
  HOLDS(mjp_registerPlugin(&plugin) >= 0);
}

static const char* xml =
    "<mujoco><option><flag energy='enable'/></option><extension><plugin plugin='lives.all'/>"
    "<plugin plugin='lives.field'><instance name='field'/></plugin></extension>"
    "<worldbody><body><joint name='slide' type='slide'/><geom size='.1'/><plugin instance='field'/></body></worldbody>"
    "<actuator><plugin joint='slide' plugin='lives.all'/></actuator>"
    "<sensor><plugin plugin='lives.all'/><jointpos joint='slide'/></sensor></mujoco>";

// no sensor, though the plugin could compute some
static const char* no_sensor =
    "<mujoco><extension><plugin plugin='lives.all'/></extension>"
    "<worldbody><body><joint name='slide' type='slide'/><geom size='.1'/></body></worldbody>"
    "<actuator><plugin joint='slide' plugin='lives.all'/></actuator></mujoco>";

static const char* contact =
    "<mujoco><extension><plugin plugin='lives.all'/></extension><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .099'><freejoint/><geom size='.1'/></body>"
    "<body pos='0 0 2'><joint name='slide' type='slide'/><geom size='.1'/></body></worldbody>"
    "<actuator><plugin joint='slide' plugin='lives.all'/></actuator></mujoco>";

static mjModel* load(const char* text, int sleep) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) printf("%s\n", error);
  HOLDS(spec);
  if (sleep) spec->option.enableflags |= mjENBL_SLEEP;
  mjModel* m = mj_compile(spec, NULL);
  if (!m) printf("%s\n", mjs_getError(spec));
  HOLDS(m);
  mj_deleteSpec(spec);
  HOLDS(made == gone);
  return m;
}

static void lives(mjModel* m) {
  const int n = m->nplugin;
  int before = made;
  mjData* d = mj_makeData(m);
  HOLDS(made == before + n && made_in == d);
  uintptr_t memory[3];
  const double state = d->plugin_state[m->plugin_stateadr[n - 1]];
  memcpy(memory, d->plugin_data, n * sizeof(uintptr_t));

  // calls of the engine inside of a call of a plugin, and inside of a callback
  nested = 2;
  d->qpos[0] = 0.25;
  mj_step(m, d);
  HOLDS(!nested && made == before + 3 * n && gone == made - n && seen == 0.25);
  mjcb_control = control;
  mj_step(m, d);
  mjcb_control = NULL;
  HOLDS(made == before + 3 * n && !memcmp(memory, d->plugin_data, n * sizeof(uintptr_t)));
  HOLDS(d->plugin_state[m->plugin_stateadr[n - 1]] == state + 2);

  // a call that a plugin leaves by an error loses no instance
  for (volatile int i = 1; i < 5; i++) {
    leave = i;
    if (setjmp(out) == 0) {
      mj_step(m, d);
      HOLDS(0);
    }
    mj_freeStack(d);
    d->pstack = d->pbase = 0;
    mj_forward(m, d);
    HOLDS(made == before + 3 * n && !memcmp(memory, d->plugin_data, n * sizeof(uintptr_t)));
  }
  HOLDS(!strcmp(said, "left"));

  // what the program puts into the memory of an instance is its memory
  free((void*)d->plugin_data[0]);
  d->plugin_data[0] = memory[0] = (uintptr_t)malloc(8);
  mj_step(m, d);
  HOLDS(d->plugin_data[0] == memory[0]);

  // resets keep memory and state, also those that a step makes by itself
  d->plugin_state[1] = 42;
  before = resets;
  mj_resetData(m, d);
  HOLDS(resets == before + n && d->plugin_state[1] == 42 && d->plugin_data[0] == memory[0]);
  d->qpos[0] = NAN;
  mj_step(m, d);
  HOLDS(resets == before + 2 * n && d->plugin_state[1] == 42 && d->qpos[0] == d->qpos[0]);
  HOLDS(!memcmp(memory, d->plugin_data, n * sizeof(uintptr_t)));

  // another model of the same plugins does not make them again
  before = made;
  mjModel* twin = mj_copyModel(NULL, m);
  mj_step(twin, d);
  mj_deleteModel(twin);
  mj_step(m, d);
  HOLDS(made == before && !memcmp(memory, d->plugin_data, n * sizeof(uintptr_t)));

  // copies
  int copies = copied;
  mjData* e = mj_copyData(NULL, m, d);
  HOLDS(made == before + n && made_in == e && copied == copies + n && copied_from == d && e->plugin_state[1] == 42);
  const uintptr_t other = e->plugin_data[0];
  HOLDS(mj_copyData(e, m, d) == e && copied == copies + 2 * n && e->plugin_data[0] == other && made == before + n);
  mj_deleteData(e);
  HOLDS(gone_with == e);

  // one that cannot be made is refused by its name, and takes nobody else with it
  if (n > 1) {
    for (volatile int kind = 0; kind < 2; kind++) {
      refusing = n - 1;
      if (setjmp(out) == 0) {
        kind ? mj_copyData(NULL, m, d) : mj_makeData(m);
        HOLDS(0);
      }
      HOLDS(strstr(said, "init failed"));
      refusing = 0;
#ifdef REFERENCE
      gone += n - 1;
#endif
    }
    HOLDS(gone == made - n);
    HOLDS(!memcmp(memory, d->plugin_data, n * sizeof(uintptr_t)));
    mj_step(m, d);
  }
  mj_deleteData(d);
  HOLDS(gone_with == d);
}

// what a plugin writes counts as what a callback writes
static void writes(mjModel* m) {
  mjtNum qacc[3][7];
  for (int kind = 0; kind < 3; kind++) {
    mjData* d = mj_makeData(m);
    pushing = kind == 1;
    mjcb_control = kind == 2 ? push : NULL;
    mj_forward(m, d);
    HOLDS(d->nefc > 0 && m->nv == 7);
    memcpy(qacc[kind], d->qacc, sizeof(qacc[kind]));
    mj_deleteData(d);
  }
  pushing = 0;
  mjcb_control = NULL;
  HOLDS(qacc[0][2] != qacc[1][2] && !memcmp(qacc[1], qacc[2], sizeof(qacc[1])));
}

static atomic_int working = 1;

// many data of one model, while others register plugins and look at slots
static void* work(void* model) {
  mjModel* m = model;
  for (int i = 0; i < 30; i++) {
    mjData* d = mj_makeData(m);
    for (int k = 0; k < 5; k++) mj_step(m, d);
    mjData* e = mj_copyData(NULL, m, d);
    mj_step(m, e);
    mj_deleteData(d);
    mj_deleteData(e);
  }
  return NULL;
}

static void* look(void* first) {
  while (working) {
    HOLDS(mjp_getPlugin("lives.all", NULL) == first);
    for (int i = mjp_pluginCount() - 1; i >= 0; i--) HOLDS(mjp_getPluginAtSlot(i) && mjp_getPluginAtSlot(i)->name[0]);
  }
  return NULL;
}

int main(void) {
  mju_user_error = onerror;
  register_all();
  for (int sleep = 0; sleep < 2; sleep++) {
    mjModel* m = load(xml, sleep);
    HOLDS(m->nplugin == 3);
    lives(m);
    mj_deleteModel(m);
  }

  mjModel* m = load(no_sensor, 0);
  HOLDS(m->nplugin == 1 && m->nsensor == 0);
  mjData* d = mj_makeData(m);
  computed[mjPLUGIN_ACTUATOR] = computed[mjPLUGIN_SENSOR] = computed[mjPLUGIN_PASSIVE] = 0;
  mj_forward(m, d);
  HOLDS(computed[mjPLUGIN_ACTUATOR] == 1 && computed[mjPLUGIN_SENSOR] == 1 && computed[mjPLUGIN_PASSIVE] == 1);
  mj_deleteData(d);
  mj_deleteModel(m);

  m = load(contact, 0);
  writes(m);
  mj_deleteModel(m);

  m = load(xml, 0);
  void* first = (void*)mjp_getPlugin("lives.all", NULL);
  pthread_t list[5];
  for (int i = 0; i < 4; i++) pthread_create(&list[i], NULL, work, m);
  pthread_create(&list[4], NULL, look, first);
  for (int i = 0; i < 40; i++) {
    char name[32];
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    snprintf(name, sizeof(name), "lives.more%d", i);
    plugin.name = name, plugin.nstate = none;
    HOLDS(mjp_getPluginAtSlot(mjp_registerPlugin(&plugin)) == mjp_getPlugin(name, NULL));
  }
  for (int i = 0; i < 4; i++) pthread_join(list[i], NULL);
  working = 0;
  pthread_join(list[4], NULL);
  mj_deleteModel(m);
  printf("%d instances made, %d given back\n", made, gone);
  return 0;
}
