// What the headers promise beyond results: which pointers stay, what is copied, who is refused, and how. Prints the first promise that
// is not kept.
#include <limits.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

// exported, though not in the headers
extern int mju_outsideBox(const mjtNum* point, const mjtNum* pos, const mjtNum* mat, const mjtNum* size, mjtNum inflate);
extern int mjc_BoxBox(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin);
extern void mj_factorI_legacy(const mjModel* m, mjData* d, const mjtNum* M, mjtNum* qLD, mjtNum* qLDiagInv);
extern void mj_solveLD_legacy(const mjModel* m, mjtNum* x, int n, const mjtNum* qLD, const mjtNum* qLDiagInv);
extern void mju_transposeSparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* res_rownnz, int* res_rowadr, int* res_colind,
                                int* res_rowsuper, const int* rownnz, const int* rowadr, const int* colind);

extern void mjc_initCCDObj(void* object, const mjModel* m, const mjData* d, int geom, mjtNum margin);
extern mjtNum mjc_ccd(const void* limits, void* found, void* first, void* second);
extern void _mjPRIVATE__set_xml_precision(int digits);

static jmp_buf out;
static char said[1024];
static int errors, warnings;

static void onerror(const char* message) {
  strncpy(said, message, sizeof(said) - 1);
  errors++;
  longjmp(out, 1);
}

static void onwarning(const char* message) {
  strncpy(said, message, sizeof(said) - 1);
  warnings++;
}

#define REFUSED(call)                                                           \
  do {                                                                          \
    const int before = errors;                                                  \
    if (setjmp(out) == 0) call;                                                 \
    if (errors != before + 1) {                                                 \
      printf("line %d: not refused: %s\n", __LINE__, #call);                    \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)
#define WARNED(call)                                                            \
  do {                                                                          \
    const int before = warnings;                                                \
    call;                                                                       \
    if (warnings == before) {                                                   \
      printf("line %d: no warning: %s\n", __LINE__, #call);                     \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

static mjModel* compiled(const char* xml) {
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mjModel* m = s ? mj_compile(s, NULL) : NULL;
  if (!m) {
    printf("%s\n", s ? mjs_getError(s) : error);
    exit(1);
  }
  mj_deleteSpec(s);
  return m;
}

static int nstate(const mjModel* m, int instance) { return 0; }

static void plugins(void) {
  HOLDS(mjp_pluginCount() > 0);
  for (int i = 0; i < mjp_pluginCount(); i++) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(i);
    int slot = -2;
    HOLDS(plugin && plugin->name && plugin->name[0]);
    HOLDS(plugin->capabilityflags > 0 && plugin->capabilityflags < 16);
    HOLDS(mjp_getPlugin(plugin->name, &slot) == plugin && slot == i);
    for (int k = 0; k < plugin->nattribute; k++) HOLDS(plugin->attributes[k][0]);
  }
  HOLDS(!mjp_getPluginAtSlot(-1) && !mjp_getPluginAtSlot(1000));

  mjpPlugin own;
  mjp_defaultPlugin(&own);
  char name[] = "mujoco.pid", attribute[] = "kp";
  const char* attributes[] = {attribute};
  REFUSED(mjp_registerPlugin(&own));
  own.name = "";
  REFUSED(mjp_registerPlugin(&own));
  own.name = name;
  own.attributes = attributes;
  own.nattribute = -1;
  REFUSED(mjp_registerPlugin(&own));
  own.nattribute = 256;
  REFUSED(mjp_registerPlugin(&own));
  own.nattribute = 1;
  own.nstate = nstate;
  const int slot = mjp_registerPlugin(&own);
  HOLDS(slot >= 0 && mjp_registerPlugin(&own) == slot);
  // texts are copied, and what differs is refused
  attribute[0] = 'q';
  HOLDS(!strcmp(mjp_getPluginAtSlot(slot)->attributes[0], "kp"));
  HOLDS(mjp_getPluginAtSlot(slot)->nstate == nstate);
  REFUSED(mjp_registerPlugin(&own));
}

static void configurations(void) {
  mjModel* m = compiled(
      "<mujoco><extension><plugin plugin='mujoco.pid'/></extension><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
      "<actuator><plugin joint='j' plugin='mujoco.pid'><config key='kp' value='4'/><config key='kd' value='5'/></plugin></actuator></mujoco>");
  const char* kp = mj_getPluginConfig(m, 0, "kp");
  const char* kd = mj_getPluginConfig(m, 0, "kd");
  HOLDS(kp && kd && !strcmp(kp, "4") && !strcmp(kd, "5"));
  HOLDS(kp >= m->plugin_attr && kp < m->plugin_attr + m->npluginattr);
  HOLDS(!mj_getPluginConfig(m, 0, "none") && !mj_getPluginConfig(m, 1, "kp") && !mj_getPluginConfig(m, -1, "kp"));
  mj_deleteModel(m);
}

static int opened, closed;

static int provider_open(mjResource* resource) {
  opened++;
  resource->data = resource;
  strcpy(resource->timestamp, "now");
  return strstr(resource->name, "missing") ? 0 : 1;
}

static int provider_read(mjResource* resource, const void** buffer) {
  *buffer = "abc";
  return resource->data == resource ? 3 : -1;
}

static void provider_close(mjResource* resource) {
  closed++;
}

static void resources(void) {
  const void* buffer = NULL;
  char error[100] = "old";
  HOLDS(mju_readResource(NULL, &buffer) == -1);
  mju_closeResource(NULL);
  // a struct that the program has made
  mjResource own;
  memset(&own, 0, sizeof(own));
  char name[] = "a.none";
  own.name = name;
  HOLDS(mju_readResource(&own, &buffer) == -1);
  int something = 5;
  own.data = &something;
  HOLDS(mju_readResource(&own, &buffer) == -1);
  mju_closeResource(&own);
  WARNED(HOLDS(!mju_decodeResource(&own, "", NULL)));

  FILE* file = fopen("promises.txt", "w");
  HOLDS(file && fputs("text", file) >= 0 && fclose(file) == 0);
  mjResource* resource = mju_openResource("", "promises.txt", NULL, error, sizeof(error));
  HOLDS(resource && !error[0]);
  HOLDS(mju_readResource(resource, &buffer) == 4 && !memcmp(buffer, "text", 4));
  mju_closeResource(resource);
  HOLDS(!mju_openResource("", "promises.none", NULL, error, sizeof(error)) && error[0]);
  remove("promises.txt");

  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.prefix = "promise";
  provider.open = provider_open;
  provider.read = provider_read;
  provider.close = provider_close;
  HOLDS(mjp_registerResourceProvider(&provider) >= 0);
  HOLDS(!mju_openResource("", "promise:missing", NULL, error, sizeof(error)) && closed == 0);
  resource = mju_openResource("", "promise:x", NULL, error, sizeof(error));
  HOLDS(resource && !strcmp(resource->timestamp, "now"));
  HOLDS(mju_readResource(resource, &buffer) == 3);
  mju_closeResource(resource);
  HOLDS(opened == 2 && closed == 1);
}

static int can_decode(const mjResource* resource) { return 1; }
static int cannot_decode(const mjResource* resource) { return 0; }
static mjSpec* decode(mjResource* resource, const mjVFS* vfs) { return mj_makeSpec(); }

static void decoders(void) {
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  WARNED(mjp_registerDecoder(&decoder));
  decoder.can_decode = can_decode;
  decoder.decode = decode;
  WARNED(mjp_registerDecoder(&decoder));
  decoder.content_type = "model/promise";
  decoder.extension = ".promise";
  const int before = warnings;
  mjp_registerDecoder(&decoder);
  mjp_registerDecoder(&decoder);
  HOLDS(warnings == before);
  decoder.can_decode = cannot_decode;
  REFUSED(mjp_registerDecoder(&decoder));
  // one by content type comes before one by extension
  decoder.can_decode = can_decode;
  decoder.content_type = "model/other";
  decoder.extension = ".other";
  mjp_registerDecoder(&decoder);
  mjResource resource;
  memset(&resource, 0, sizeof(resource));
  resource.name = "x.promise";
  const mjpDecoder* found = mjp_findDecoder(&resource, "model/other");
  HOLDS(found && !strcmp(found->content_type, "model/other"));
  found = mjp_findDecoder(&resource, "");
  HOLDS(found && !strcmp(found->content_type, "model/promise"));
  resource.name = "x.promise.other";
  found = mjp_findDecoder(&resource, "");
  HOLDS(found && !strcmp(found->content_type, "model/other"));
  // no loader would ask it
  decoder.content_type = "model/stl";
  decoder.extension = ".stl";
  WARNED(mjp_registerDecoder(&decoder));
}

static void prototypes(void) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsGeom* geom = mjs_addGeom(world, NULL);
  mjs_setName(geom->element, "first");
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjsDefault* main = mjs_getSpecDefault(s);
  HOLDS(mjs_delete(s, main->geom->element) == -1);
  HOLDS(mjs_findElement(s, mjOBJ_GEOM, "first") == geom->element);
  REFUSED(mjs_setName(main->geom->element, "other"));
  REFUSED(mjs_setDefault(main->geom->element, main));
  REFUSED(mjs_setFrame(main->geom->element, mjs_addFrame(world, NULL)));
  REFUSED(mjs_wrapSite(main->tendon, "site"));
  HOLDS(mjs_getWrapNum(tendon) == 0);
  HOLDS(!strcmp(mjs_getString(mjs_getName(geom->element)), "first"));
  // a repeated name is refused, but given: nothing can be compiled with it
  mjsGeom* second = mjs_addGeom(world, NULL);
  HOLDS(mjs_setName(second->element, "first") == -1);
  HOLDS(!strcmp(mjs_getString(mjs_getName(second->element)), "first"));
  HOLDS(mjs_getId(main->geom->element) == -1 && !mjs_getParent(main->geom->element));

  // classes are renamed with those that use them
  mjsDefault* class = mjs_addDefault(s, "old", NULL);
  mjsGeom* user = mjs_addGeom(world, class);
  HOLDS(mjs_setName(class->element, "new") == 0);
  HOLDS(mjs_findDefault(s, "new") == class && !mjs_findDefault(s, "old"));
  HOLDS(mjs_getDefault(user->element) == class);
  mj_deleteSpec(s);
}

static void circles(void) {
  mjSpec* a = mj_makeSpec();
  mjSpec* b = mj_makeSpec();
  mjs_setString(a->modelname, "a");
  mjs_setString(b->modelname, "b");
  mjsFrame* in_a = mjs_addFrame(mjs_findBody(a, "world"), NULL);
  mjsFrame* in_b = mjs_addFrame(mjs_findBody(b, "world"), NULL);
  mjsBody* of_a = mjs_addBody(mjs_findBody(a, "world"), NULL);
  mjsBody* of_b = mjs_addBody(mjs_findBody(b, "world"), NULL);
  HOLDS(mjs_attach(in_a->element, of_b->element, "b", ""));
  HOLDS(mjs_attach(in_b->element, of_a->element, "a", ""));
  HOLDS(mjs_findSpec(a, "b") == b && mjs_findSpec(b, "a") == a);
  HOLDS(!mjs_findSpec(a, "none"));
  mj_deleteSpec(a);
  mj_deleteSpec(b);
}

// plugin instances come and go with the elements that use them
static void instances(void) {
  mjSpec* parent = mj_makeSpec();
  mjSpec* child = mj_parseXMLString(
      "<mujoco><extension><plugin plugin='mujoco.pid'><instance name='i'><config key='kp' value='4'/></instance></plugin></extension>"
      "<worldbody><body name='empty'/><body name='full'><joint name='j'/><geom size='1'/></body></worldbody>"
      "<actuator><plugin plugin='mujoco.pid' instance='i' joint='j'/></actuator></mujoco>", NULL, NULL, 0);
  mjs_setDeepCopy(parent, 1);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  HOLDS(mjs_attach(frame->element, mjs_findBody(child, "empty")->element, "a-", ""));
  mjModel* m = mj_compile(parent, NULL);
  HOLDS(m && m->nplugin == 0);
  mj_deleteModel(m);
  HOLDS(mjs_attach(frame->element, mjs_findBody(child, "full")->element, "b-", ""));
  m = mj_compile(parent, NULL);
  HOLDS(m && m->nplugin == 1 && m->nu == 1);
  mj_deleteModel(m);
  HOLDS(mjs_delete(parent, mjs_findBody(parent, "b-full")->element) == 0);
  m = mj_compile(parent, NULL);
  HOLDS(m && m->nplugin == 0 && m->nu == 0);
  mj_deleteModel(m);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

static void texts(mjModel* m, mjData* d) {
  WARNED(mju_warning("%.*s|%*d|%-*d|%.*f|%.*s", 3, "abcdef", 5, 42, 4, 7, 2, 1.5, -1, "all"));
  HOLDS(!strcmp(said, "abc|   42|7   |1.50|all"));
  WARNED(mj_printFormattedModel(m, "promises.txt", "%q"));
  WARNED(mj_printFormattedData(m, d, "promises.txt", NULL));
  FILE* file = fopen("promises.txt", "r");
  HOLDS(file && fseek(file, 0, SEEK_END) == 0 && ftell(file) > 100 && fclose(file) == 0);
  remove("promises.txt");
}

static void sizes(mjModel* m) {
  m->nbody++;
  mjData* d = NULL;
  WARNED(d = mj_makeData(m));
  HOLDS(!d);
  m->nbody--;
}

static void scenes(mjModel* m) {
  mjvScene scene;
  mjv_defaultScene(&scene);
  REFUSED(mjv_makeScene(m, &scene, INT_MAX));
  mjv_makeScene(m, &scene, 2);
  // geoms that the program has written are printed, as far as there is room for them
  mjtNum size[3] = {1, 1, 1}, pos[3] = {0, 0, 0}, mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  float rgba[4] = {1, 1, 1, 1};
  mjv_initGeom(&scene.geoms[0], mjGEOM_SPHERE, size, pos, mat, rgba);
  strcpy(scene.geoms[0].label, "promised");
  scene.ngeom = 1;
  mj_printScene(&scene, "promises.txt");
  char text[20000] = "";
  FILE* file = fopen("promises.txt", "r");
  HOLDS(file && fread(text, 1, sizeof(text) - 1, file) > 0 && fclose(file) == 0);
  HOLDS(strstr(text, "promised"));
  scene.ngeom = scene.maxgeom = 1000000;
  mj_printScene(&scene, "promises.txt");
  scene.maxgeom = 2;
  mjv_freeScene(&scene);
  remove("promises.txt");
}

static void contacts(void) {
  mjModel* m = compiled(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><geom type='mesh' mesh='m'/>"
      "<geom type='box' size='1 1 1'/><geom type='mesh' mesh='m' margin='1'/></worldbody></mujoco>");
  HOLDS(mj_maxContact(m, 0, 1, 0) == 4 && mj_maxContact(m, 0, 1, 1) == 5);
  HOLDS(mj_maxContact(m, 0, 1, -1) == 4 && mj_maxContact(m, 0, 2, -1) == 5);
  m->opt.disableflags |= mjDSBL_NATIVECCD;
  HOLDS(mj_maxContact(m, 0, 1, 0) == 5);
  mj_deleteModel(m);
}

static void height_fields(void) {
  mjSpec* s = mj_parseXMLString(
      "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='0 .2 .4 1'/></asset></mujoco>", NULL, NULL, 0);
  mjModel* m = mj_compile(s, NULL);
  HOLDS(m && m->hfield_data[0] != 0.5f);
  m->hfield_data[0] = 0.5f;
  HOLDS(mj_copyBack(s, m) == 1);
  mjModel* again = mj_compile(s, NULL);
  HOLDS(again && again->hfield_data[0] == 0.5f);
  mj_deleteModel(again);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void internals(void) {
  // the second row of a matrix as a block of its own
  const mjtNum block[] = {3, 4};
  const int rownnz[] = {2}, rowadr[] = {5}, colind[] = {0, 1};
  mjtNum transposed[2];
  int nnz[2], adr[2], columns[2];
  mju_transposeSparse(transposed, block, 1, 2, nnz, adr, columns, NULL, rownnz, rowadr, colind);
  HOLDS(nnz[0] == 1 && nnz[1] == 1 && transposed[0] == 3 && transposed[1] == 4);

  const mjtNum pos[] = {1, 0, 0}, mat[] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, size[] = {1, 2, 3};
  const mjtNum inside[] = {2.5, 0, 0}, outside[] = {1, 1.5, 0}, between[] = {1, 1.05, 0};
  HOLDS(mju_outsideBox(inside, pos, mat, size, 1.1) == -1);
  HOLDS(mju_outsideBox(outside, pos, mat, size, 1.1) == 1);
  HOLDS(mju_outsideBox(between, pos, mat, size, 1.1) == 0);

  mjModel* m = compiled(
      "<mujoco><worldbody><geom type='box' size='1 1 1'/><body pos='0 0 1.9'><freejoint/><geom type='box' size='1 1 1'/>"
      "<body pos='0 0 5'><joint axis='0 1 0'/><joint axis='1 0 0' pos='1 2 3'/><geom size='1' pos='1 0 0'/></body></body>"
      "</worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mjContact contacts[mjMAXCONPAIR];
  HOLDS(mjc_BoxBox(m, d, contacts, 0, 1, 0) == 4);
  HOLDS(mju_abs(contacts[0].dist + 0.1) < 1e-12 && contacts[0].frame[2] == 1);
  REFUSED(mjc_BoxBox(m, d, contacts, 0, 2, 0));
  mjtNum factor[64], inverse[16], x[32], y[32];
  HOLDS(m->nM <= 64 && m->nv == 8);
  mj_factorI_legacy(m, d, d->qM, factor, inverse);
  for (int i = 0; i < 16; i++) x[i] = y[i] = i - 3;
  mj_solveLD_legacy(m, x, 2, factor, inverse);
  mj_solveM(m, d, y, y, 2);
  for (int i = 0; i < 16; i++) HOLDS(mju_abs(x[i] - y[i]) < 1e-9);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a ball of radius 1 around the point that the object carries
static void ball_center(mjtNum res[3], const void* object) { mju_copy3(res, (const mjtNum*)((const char*)object + 40)); }
static void ball_support(mjtNum res[3], void* object, const mjtNum dir[3]) {
  mju_addScl3(res, (const mjtNum*)((const char*)object + 40), dir, 1);
}

static void convex_pairs(void) {
  mjModel* m = compiled(
      "<mujoco><worldbody><geom type='box' size='1 1 1'/><body pos='0 0 3'><freejoint/><geom type='ellipsoid' size='1 1 1'/></body>"
      "</worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  // the structs of the reference's sources: an object, limits, and what was found
  _Alignas(16) char first[376], second[376], found[2784];
  struct { int iterations; mjtNum tolerance; int contacts; mjtNum cutoff; void* buffer; } limits = {100, 1e-9, 0, 1e10, NULL};
  mjc_initCCDObj(first, m, d, 0, 0);
  mjc_initCCDObj(second, m, d, 1, 0);
  mjtNum dist = mjc_ccd(&limits, found, first, second);
  HOLDS(mju_abs(dist - 1) < 1e-6 && dist == *(mjtNum*)found);
  // an object with functions of its own
  memcpy(second + 360, &(void (*)(mjtNum*, const void*)){ball_center}, sizeof(void*));
  memcpy(second + 368, &(void (*)(mjtNum*, void*, const mjtNum*)){ball_support}, sizeof(void*));
  HOLDS(mju_abs(mjc_ccd(&limits, found, first, second) - 1) < 1e-6);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void recompiled(void) {
  mjSpec* s = mj_parseXMLString("<mujoco><worldbody><body name='a'><joint name='j'/><geom size='1'/></body></worldbody></mujoco>", NULL, NULL, 0);
  mjModel* old = mj_compile(s, NULL);
  mjData* d = mj_makeData(old);
  HOLDS(s->element->signature == old->signature && d->signature == old->signature);
  d->qpos[0] = 0.5;
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjs_addFreeJoint(body);
  mjs_addGeom(body, NULL)->size[0] = 1;
  // another description than the one that was compiled
  HOLDS(mjs_getSpec(s->element)->element->signature != old->signature);
  // memory for a model that the program brings along is given back with the model
  mjModel* m = mju_malloc(sizeof(mjModel));
  m->buffer = NULL;
  HOLDS(mj_recompile(s, NULL, m, d) == 0);
  HOLDS(m->nq == 8 && d->qpos[0] == 0.5 && s->element->signature == m->signature);
  mj_step(m, d);
  HOLDS(mj_recompile(s, NULL, m, d) == 0 && m->nq == 8);
  mj_step(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteModel(old);
  mj_deleteSpec(s);
}

static void digits(void) {
  mjSpec* s = mj_parseXMLString("<mujoco><worldbody><geom size='0.123456789'/></worldbody></mujoco>", NULL, NULL, 0);
  mj_deleteModel(mj_compile(s, NULL));
  char text[1000], error[100];
  HOLDS(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)) == 0 && strstr(text, "\"0.123457\""));
  _mjPRIVATE__set_xml_precision(17);
  HOLDS(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)) == 0 && strstr(text, "\"0.123456789\""));
  _mjPRIVATE__set_xml_precision(6);
  mj_deleteSpec(s);
}

int main(void) {
  mju_user_error = onerror;
  mju_user_warning = onwarning;
  configurations();
  resources();
  decoders();
  prototypes();
  circles();
  instances();
  contacts();
  height_fields();
  internals();
  convex_pairs();
  recompiled();
  digits();
  // from here on, a plugin of this program stands in the place of one that is built in
  plugins();
  mjModel* m = compiled("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  texts(m, d);
  scenes(m);
  sizes(m);
  mj_deleteData(d);
  mj_deleteModel(m);
  printf("all kept\n");
  return 0;
}
