// Calls the library with nonsense: null pointers, wrong ids, numbers that are not numbers, wrong indices in a model's arrays,
// torn files, callbacks and plugins that do not return, pictures of wrong sizes. It must say what is wrong, or go on; it must not crash. Arguments: number of cases per thread, number of threads.
#include <math.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const XML =
    "<mujoco><option timestep='0.005'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
    "<geom type='plane' size='5 5 .1'/><site name='s'/>"
    "<body name='a' pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='tip' pos='.1 0 0'/>"
    "<body pos='.3 0 0'><joint name='hinge' axis='0 1 0' limited='true' range='-30 30'/><geom type='capsule' size='.05 .1'/></body></body>"
    "<body mocap='true' pos='1 0 1'><geom type='sphere' size='.1'/></body>"
    "<body pos='0 1 1'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>"
    "<tendon><spatial name='t'><site site='s'/><site site='tip'/></spatial></tendon>"
    "<actuator><motor joint='hinge' ctrlrange='-1 1'/><position tendon='t'/></actuator>"
    "<sensor><framepos objtype='site' objname='tip'/><jointpos joint='hinge'/><touch site='tip'/></sensor></mujoco>";

static const char* const PLUGIN_XML =
    "<mujoco><extension><plugin plugin='hostile.plugin'/></extension><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .1'><freejoint/><geom size='.1'/></body>"
    "<body pos='1 0 1'><joint name='hinge'/><geom size='.1' pos='.2 0 0'/></body></worldbody>"
    "<actuator><plugin joint='hinge' plugin='hostile.plugin'/></actuator><sensor><plugin plugin='hostile.plugin'/></sensor></mujoco>";

// exported, though not in the headers
extern const char* mj_validateReferences(const mjModel* m);

static _Thread_local jmp_buf out;
static _Thread_local unsigned long long seed;
static mjModel* shared;

static void onerror(const char* message) {
  if (!message || !*message) abort();  // an error says something
  longjmp(out, 1);
}

static void onwarning(const char* message) {
  if (!message || !*message) abort();
}

static unsigned dice(unsigned sides) {
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(seed >> 33) % sides;
}

static double number(void) {
  static const double odd[] = {0, -1, 1e300, -1e300, 1e-320, 1e10, INFINITY, -INFINITY, NAN, 2147483648.0};
  return dice(3) ? odd[dice(10)] : (double)dice(1000) / 100 - 5;
}

static int integer(void) {
  static const int odd[] = {-1, -2, 1000000, 2147483647, -2147483647 - 1, 65536};
  return dice(2) ? odd[dice(6)] : (int)dice(12) - 3;
}

// null where the headers do not allow it
static void null_pointers(mjModel* m, mjData* d) {
  mjModel* const nomodel = NULL;
  mjData* const nodata = NULL;
  switch (dice(14)) {
    case 0: mj_step(nomodel, d); break;
    case 1: mj_step(m, nodata); break;
    case 2: mj_forward(nomodel, nodata); break;
    case 3: mj_deleteModel(NULL); mj_deleteData(NULL); mj_deleteSpec(NULL); break;
    case 4: mj_makeData(NULL); break;
    case 5: mj_copyData(d, m, NULL); break;
    case 6: mj_getState(m, d, NULL, mjSTATE_PHYSICS); break;
    case 7: mj_parseXMLString(NULL, NULL, NULL, 0); break;
    case 8: mj_compile(NULL, NULL); break;
    case 9: mj_loadModelBuffer(NULL, 100); break;
    case 10: mju_copy(NULL, NULL, 3); break;
    case 11: mj_mulM(m, d, NULL, NULL); break;
    case 12: mj_jac(m, d, NULL, NULL, NULL, 1); break;
    default: mj_name2id(m, mjOBJ_BODY, NULL); break;
  }
}

static void ids(mjModel* m, mjData* d) {
  mjtNum values[200], jac[200];
  memset(values, 0, sizeof(values));
  switch (dice(8)) {
    case 0: mj_id2name(m, integer(), integer()); break;
    case 1: mj_contactForce(m, d, integer(), values); break;
    case 2: mj_objectVelocity(m, d, integer(), integer(), values, dice(2)); break;
    case 3: mj_jacBody(m, d, jac, NULL, integer()); break;
    case 4: mj_stateSize(m, integer()); break;
    case 5: mj_geomDistance(m, d, integer(), integer(), 1, values); break;
    case 6: mj_maxContact(m, integer(), integer(), 0); break;
    default: mj_applyFT(m, d, values, values, values, integer(), values); break;
  }
}

static void numbers(mjModel* m, mjData* d) {
  for (int i = 0; i < 4; i++) {
    switch (dice(8)) {
      case 0: d->qpos[dice(m->nq)] = number(); break;
      case 1: d->qvel[dice(m->nv)] = number(); break;
      case 2: d->ctrl[dice(m->nu)] = number(); break;
      case 3: d->xfrc_applied[dice(6 * m->nbody)] = number(); break;
      case 4: d->mocap_pos[dice(3)] = number(); break;
      case 5: d->mocap_quat[dice(4)] = number(); break;
      case 6: d->qacc_warmstart[dice(m->nv)] = number(); break;
      default: d->time = number(); break;
    }
  }
  mj_step(m, d);
  mj_inverse(m, d);
}

// counts and settings in the structs themselves
static void settings(mjModel* m, mjData* d) {
  switch (dice(10)) {
    case 0: m->opt.integrator = integer(); break;
    case 1: m->opt.solver = integer(); break;
    case 2: m->opt.cone = integer(); break;
    case 3: m->opt.jacobian = integer(); break;
    case 4: m->opt.timestep = number(); break;
    case 5: m->opt.disableflags = integer(); break;
    case 6: m->opt.enableflags = integer(); break;
    case 7: m->opt.gravity[dice(3)] = number(); break;
    case 8: d->ncon = integer(); break;
    default: d->nefc = integer(); break;
  }
  mjtNum values[500] = {0}, cost;
  switch (dice(6)) {
    case 0: mj_mulJacVec(m, d, values, values + 250); break;
    case 1: mj_mulJacTVec(m, d, values, values + 250); break;
    case 2: mj_constraintUpdate(m, d, values, &cost, 0); break;
  }
  mj_forward(m, d);
  mj_step(m, d);
}

// integers of a model that are used as indices
static void indices(mjModel* m, mjData* d) {
  int* const arrays[] = {m->body_parentid, m->body_rootid, m->body_jntadr, m->body_dofadr, m->body_geomadr, m->jnt_bodyid,
                         m->jnt_qposadr, m->jnt_dofadr, m->jnt_type, m->dof_bodyid, m->dof_jntid, m->dof_parentid,
                         m->geom_bodyid, m->geom_type, m->geom_dataid, m->geom_condim, m->site_bodyid, m->mesh_vertadr,
                         m->mesh_vertnum, m->tendon_adr, m->tendon_num, m->wrap_objid, m->wrap_type, m->actuator_trntype,
                         m->actuator_trnid, m->sensor_type, m->sensor_objid, m->sensor_adr, m->sensor_dim};
  const int sizes[] = {m->nbody, m->nbody, m->nbody, m->nbody, m->nbody, m->njnt, m->njnt, m->njnt, m->njnt, m->nv,
                       m->nv, m->nv, m->ngeom, m->ngeom, m->ngeom, m->ngeom, m->nsite, m->nmesh, m->nmesh, m->ntendon,
                       m->ntendon, m->nwrap, m->nwrap, m->nu, 2 * m->nu, m->nsensor, m->nsensor, m->nsensor, m->nsensor};
  const int which = dice(sizeof(sizes) / sizeof(sizes[0]));
  arrays[which][dice(sizes[which])] = integer();
  // programs that write indices ask before they step
  if (mj_validateReferences(m)) return;
  mj_step(m, d);
  mj_forward(m, d);
}

static void files(void) {
  static _Thread_local unsigned char image[200000];
  const mjtSize size = mj_sizeModel(shared);
  if (size > (mjtSize)sizeof(image)) abort();
  mj_saveModel(shared, NULL, image, (int)size);
  for (unsigned i = dice(6); i > 0; i--) image[dice(dice(2) ? 400 : (unsigned)size)] = (unsigned char)dice(256);
  mj_deleteModel(mj_loadModelBuffer(image, dice(3) ? (int)size : (int)dice((unsigned)size)));
}

static void texts(void) {
  char text[4000], error[300];
  strcpy(text, XML);
  const unsigned length = (unsigned)strlen(text);
  for (unsigned i = dice(5); i > 0; i--) text[dice(length)] = (char)(32 + dice(95));
  if (!dice(3)) text[dice(length)] = 0;
  mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (s) {
    mj_deleteModel(mj_compile(s, NULL));
    mj_deleteSpec(s);
  } else if (!error[0]) {
    abort();  // a refusal says why
  }
}

static void descriptions(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  geom->size[dice(3)] = number();
  geom->type = integer();
  body->pos[dice(3)] = number();
  mjs_addJoint(body, NULL)->type = integer();
  if (dice(2)) mjs_delete(s, geom->element);
  if (dice(2)) mjs_delete(s, geom->element);  // twice, perhaps
  if (dice(2)) mjs_attach(body->element, NULL, "", "");
  mj_deleteModel(mj_compile(s, NULL));
  mj_deleteSpec(s);
}

// a callback that leaves the step it is called in
static _Thread_local int steps_to_error;

static void control(const mjModel* m, mjData* d) {
  if (steps_to_error && --steps_to_error == 0) mju_error("left at time %g", d->time);
}

static void callbacks(mjModel* m) {
  jmp_buf before;
  memcpy(before, out, sizeof(out));
  mjData* volatile d = mj_makeData(m);
  for (volatile int i = 0; i < 3; i++) {
    steps_to_error = 1 + (int)dice(3);
    if (setjmp(out) == 0) {
      while (1) mj_step(m, d);
    }
    if (dice(2)) {
      mj_deleteData(d);
      d = mj_makeData(m);
    }
    if (setjmp(out) == 0) mj_step(m, d);
  }
  memcpy(out, before, sizeof(out));
  mj_deleteData(d);
}

// a plugin that refuses, leaves by errors and calls the engine from within, whatever that is doing
static mjModel* with_plugins;
static atomic_int made, gone;
static _Thread_local int wild, depth;

static int plugin_state(const mjModel* m, int instance) { return 1; }
static int plugin_width(const mjModel* m, int instance, int sensor) { return 1; }

static int plugin_init(const mjModel* m, mjData* d, int instance) {
  if (wild && !dice(12)) return -1;
  d->plugin_data[instance] = (uintptr_t)malloc(8);
  made++;
  return 0;
}

static void plugin_destroy(mjData* d, int instance) {
  free((void*)d->plugin_data[instance]);
  gone++;
}

static void plugin_copy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  if (dest->plugin_data[instance] == src->plugin_data[instance]) abort();
}

static void plugin_compute(const mjModel* m, mjData* d, int instance, int capability) {
  if (!d->plugin_data[instance]) abort();
  *(mjtNum*)d->plugin_data[instance] = d->time;
  if (!wild || depth > 2) return;
  depth++;
  switch (dice(12)) {
    case 0: mju_error("plugin %d leaves %s at %g", instance, "a step", d->time); break;
    case 1: mj_forward(m, d); break;
    case 2: mj_step(m, d); break;
    case 3: mj_resetData(m, d); break;
    case 4: mj_inverse(m, d); break;
    case 5: d->qpos[dice(m->nq)] = number(); break;
  }
  depth--;
}

static void plugins(void) {
  jmp_buf before;
  memcpy(before, out, sizeof(out));
  mjData *volatile d = NULL, *volatile e = NULL;
  wild = 1;
  for (volatile int i = 0; i < 8; i++) {
    depth = 0;
    if (setjmp(out)) continue;
    if (!d) d = mj_makeData(with_plugins);
    switch (dice(6)) {
      case 0: mj_step(with_plugins, d); break;
      case 1: mj_forward(with_plugins, d); break;
      case 2: mj_resetData(with_plugins, d); break;
      case 3:
        if (!e) e = mj_copyData(NULL, with_plugins, d);
        mj_step(with_plugins, e);
        break;
      case 4:
        if (e) mj_copyData(e, with_plugins, d);
        break;
      default:
        mj_deleteData(d);
        d = NULL;
    }
  }
  memcpy(out, before, sizeof(out));
  wild = 0;
  mj_deleteData(d);
  mj_deleteData(e);
}

// texts, rectangles and figures anywhere; without a model no graphics adapter is needed
static void picture(mjrContext* con, mjvFigure* figure, unsigned char* rgb, float* depth) {
  const mjrRect rect = {integer(), integer(), integer(), integer()};
  const float x = (float)number(), y = (float)number();
  switch (dice(14)) {
    case 0: mjr_rectangle(rect, x, y, 1, x); break;
    case 1: mjr_text(integer(), "text", con, x, y, 1, x, y); break;
    case 2: mjr_label(rect, integer(), "label", x, y, 1, 1, 0, x, y, con); break;
    case 3: mjr_overlay(integer(), integer(), rect, dice(2) ? NULL : "a\n\nb", dice(2) ? NULL : "c", con); break;
    case 4: mjr_readPixels(dice(2) ? rgb : NULL, dice(2) ? depth : NULL, rect, con); break;
    case 5: mjr_drawPixels(dice(2) ? rgb : NULL, dice(2) ? depth : NULL, rect, con); break;
    case 6: mjr_addAux(integer(), integer(), integer(), integer(), con); break;
    case 7: mjr_setAux(integer(), con); break;
    case 8: mjr_blitAux(integer(), rect, integer(), integer(), con); break;
    case 9: mjr_resizeOffscreen(integer(), integer(), con); break;
    case 10: mjr_setBuffer(integer(), con); break;
    case 11: mjr_changeFont(integer(), con); break;
    case 12: con->offFBO = dice(3) ? con->offFBO : (unsigned)integer(); break;
    default:
      mjv_defaultFigure(figure);
      figure->gridsize[dice(2)] = integer();
      figure->linepnt[dice(100)] = integer();
      figure->linedata[0][dice(2000)] = x;
      figure->range[dice(2)][dice(2)] = y;
      figure->linewidth = x;
      figure->flg_barplot = dice(2);
      figure->legendoffset = integer();
      memset(figure->title, 'x', sizeof(figure->title));  // without an end
      strcpy(figure->xformat, dice(2) ? "%s%n" : "%99999f");
      mjr_figure(rect, figure, con);
  }
}

static void pictures(void) {
  jmp_buf before;
  memcpy(before, out, sizeof(out));
  mjrContext *volatile con = malloc(sizeof(mjrContext)), *volatile copy = malloc(sizeof(mjrContext));
  mjvFigure* volatile figure = malloc(sizeof(mjvFigure));
  unsigned char* volatile rgb = calloc(4 * 64 * 48, 1);
  float* volatile depth = calloc(64 * 48, sizeof(float));
  mjr_defaultContext(con);
  if (setjmp(out) == 0) {
    mjr_makeContext(NULL, con, integer());
    mjr_resizeOffscreen(64, 48, con);
  }
  *copy = *con;
  for (volatile int i = 0; i < 8; i++) {
    if (setjmp(out) == 0) picture(con, figure, rgb, depth);
  }
  // twice, and another struct with the same context
  for (volatile int i = 0; i < 3; i++) {
    if (setjmp(out) == 0) mjr_freeContext(i < 2 ? con : copy);
  }
  memcpy(out, before, sizeof(out));
  free(con);
  free(copy);
  free(figure);
  free(rgb);
  free(depth);
}

static void one(void) {
  mjModel* volatile m = NULL;
  mjData* volatile d = NULL;
  if (setjmp(out) == 0) {
    const unsigned kind = dice(11);
    if (kind < 5) {
      m = mj_copyModel(NULL, shared);
      d = mj_makeData(m);
    }
    switch (kind) {
      case 0: null_pointers(m, d); break;
      case 1: ids(m, d); break;
      case 2: numbers(m, d); break;
      case 3: settings(m, d); break;
      case 4: indices(m, d); break;
      case 5: files(); break;
      case 6: texts(); break;
      case 7: callbacks(shared); break;
      case 8: plugins(); break;
      case 9: pictures(); break;
      default: descriptions(); break;
    }
  }
  if (setjmp(out) == 0) mj_deleteData(d);
  if (setjmp(out) == 0) mj_deleteModel(m);
}

static int cases = 1250;

static void* work(void* number) {
  seed = 12345 + 977 * (unsigned long long)(size_t)number;
  for (int i = 0; i < cases; i++) one();
  return NULL;
}

int main(int argc, char** argv) {
  int threads = 8;
  if (argc > 1) cases = atoi(argv[1]);
  if (argc > 2) threads = atoi(argv[2]);
  if (threads < 1 || threads > 64) return 2;
  mju_user_error = onerror;
  mju_user_warning = onwarning;
  mjcb_control = control;
  mjSpec* s = mj_parseXMLString(XML, NULL, NULL, 0);
  shared = s ? mj_compile(s, NULL) : NULL;
  if (!shared) {
    printf("%s\n", s ? mjs_getError(s) : "no description");
    return 1;
  }
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "hostile.plugin";
  plugin.capabilityflags = mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR | mjPLUGIN_PASSIVE;
  plugin.nstate = plugin_state, plugin.nsensordata = plugin_width;
  plugin.init = plugin_init, plugin.destroy = plugin_destroy, plugin.copy = plugin_copy, plugin.compute = plugin_compute;
  mjp_registerPlugin(&plugin);
  mjSpec* p = mj_parseXMLString(PLUGIN_XML, NULL, NULL, 0);
  with_plugins = p ? mj_compile(p, NULL) : NULL;
  if (!with_plugins) {
    printf("%s\n", p ? mjs_getError(p) : "no description of plugins");
    return 1;
  }
  pthread_t list[64];
  for (int i = 0; i < threads; i++) pthread_create(&list[i], NULL, work, (void*)(size_t)i);
  for (int i = 0; i < threads; i++) pthread_join(list[i], NULL);
  mj_deleteModel(shared);
  mj_deleteSpec(s);
  mj_deleteModel(with_plugins);
  mj_deleteSpec(p);
  if (made != gone) {
    printf("%d plugin instances made, %d given back\n", made, gone);
    return 1;
  }
  printf("%d cases\n", cases * threads);
  return 0;
}
