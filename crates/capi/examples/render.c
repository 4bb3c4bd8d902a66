// Draws a scene, texts and a figure off screen, without a window and without OpenGL, and looks at the pixels. With a name of a file, the
// picture of the scene is written there: red, green and blue of each pixel, rows from the bottom.
#include <math.h>
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { WIDTH = 80, HEIGHT = 60 };

static const char* const XML =
    "<mujoco><visual><map znear='.01' zfar='100'/></visual><statistic extent='1'/>"
    "<asset><texture name='t' type='2d' builtin='checker' width='8' height='8' rgb1='1 1 1' rgb2='0 0 0'/>"
    "<material name='m' texture='t'/></asset><worldbody><light pos='0 0 4'/><camera name='above' pos='0 0 3'/>"
    "<geom size='.5' rgba='1 0 0 1'/><geom type='plane' size='2 2 .1' pos='0 0 -1' material='m'/>"
    "<body pos='.8 0 0'><geom type='box' size='.2 .2 .2' rgba='0 0 1 .5'/></body></worldbody></mujoco>";

static _Thread_local jmp_buf out;
static _Thread_local char said[1024];
static _Thread_local int errors;

static void onerror(const char* message) {
  strncpy(said, message, sizeof(said) - 1);
  errors++;
  longjmp(out, 1);
}

#define REFUSED(call, text)                                                       \
  do {                                                                            \
    const int before = errors;                                                    \
    jmp_buf outer;                                                                \
    memcpy(outer, out, sizeof(out));                                              \
    if (setjmp(out) == 0) call;                                                   \
    memcpy(out, outer, sizeof(out));                                              \
    HOLDS(errors == before + 1 && strstr(said, text));                            \
  } while (0)

static mjModel* model;
static mjData* data;

static void fill(mjvScene* scene) {
  mjvOption option;
  mjvCamera camera;
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  camera.type = mjCAMERA_FIXED;
  camera.fixedcamid = 0;
  mjv_defaultScene(scene);
  mjv_makeScene(model, scene, 100);
  mjv_updateScene(model, data, &option, NULL, &camera, mjCAT_ALL, scene);
}

static const unsigned char* at(const unsigned char* rgb, int width, int x, int y) { return rgb + 3 * (y * width + x); }

static void scenes(mjrContext* con, const char* file) {
  mjvScene scene;
  fill(&scene);
  const mjrRect left = {0, 0, WIDTH, HEIGHT}, right = {WIDTH, 0, WIDTH, HEIGHT}, both = {0, 0, 2 * WIDTH, HEIGHT};
  mjr_render(left, &scene, con);
  scene.geoms[0].rgba[0] = 0;
  scene.geoms[0].rgba[1] = 1;
  mjr_render(right, &scene, con);
  // what is drawn is what was there then
  scene.ngeom = 0;
  static unsigned char rgb[3 * 2 * WIDTH * HEIGHT], one[3 * WIDTH * HEIGHT];
  static float depth[2 * WIDTH * HEIGHT];
  mjr_readPixels(rgb, depth, both, con);
  const unsigned char *red = at(rgb, 2 * WIDTH, WIDTH / 2, HEIGHT / 2), *green = at(rgb, 2 * WIDTH, 3 * WIDTH / 2, HEIGHT / 2);
  HOLDS(red[0] > 100 && red[1] < 100 && green[1] > 100 && green[0] < 100);
  // the ball's top is 2.5 m from the camera, the floor 4 m
  const double near = .01, far = 100;
  const double ball = 1 - near * (far / 2.5 - 1) / (far - near), floor = 1 - near * (far / 4 - 1) / (far - near);
  const float *top = depth + HEIGHT / 2 * 2 * WIDTH + WIDTH / 2, *below = depth + 2 * WIDTH + WIDTH / 2;
  HOLDS(fabs(*top - ball) < 1e-5 && fabs(*below - floor) < 1e-5 && depth[0] == 1);
  con->readDepthMap = mjDEPTH_ZEROFAR;
  mjr_readPixels(NULL, depth, both, con);
  HOLDS(fabs(*below - (1 - floor)) < 1e-5 && depth[0] == 0);
  con->readDepthMap = mjDEPTH_ZERONEAR;
  mjr_readPixels(one, NULL, left, con);
  HOLDS(!memcmp(one, rgb, 3 * WIDTH));
  if (file) {
    FILE* stream = fopen(file, "wb");
    HOLDS(stream && fwrite(one, 1, sizeof(one), stream) == sizeof(one));
    fclose(stream);
  }
  con->readPixelFormat = 0x80E0;  // GL_BGR
  mjr_readPixels(rgb, NULL, left, con);
  HOLDS(rgb[0] == one[2] && rgb[1] == one[1] && rgb[2] == one[0]);
  con->readPixelFormat = 7;
  REFUSED(mjr_readPixels(rgb, NULL, left, con), "readPixelFormat");
  con->readPixelFormat = 0x1907;  // GL_RGB
  // segmentation: ids as colours
  mjvOption option;
  mjv_defaultOption(&option);
  mjvCamera camera = {.type = mjCAMERA_FIXED};
  mjv_updateScene(model, data, &option, NULL, &camera, mjCAT_ALL, &scene);
  scene.flags[mjRND_SEGMENT] = scene.flags[mjRND_IDCOLOR] = 1;
  mjr_render(left, &scene, con);
  mjr_readPixels(one, NULL, left, con);
  HOLDS(at(one, WIDTH, WIDTH / 2, HEIGHT / 2)[0] == scene.geoms[0].segid + 1);
  mjv_freeScene(&scene);
}

static void texts(mjrContext* con) {
  const mjrRect full = mjr_maxViewport(con), part = {10, 20, 30, 40};
  HOLDS(full.width == model->vis.global.offwidth && full.height == model->vis.global.offheight);
  unsigned char* rgb = malloc(3 * (size_t)full.width * full.height);
  mjr_rectangle(full, 0, 0, 0, 1);
  mjr_rectangle(part, 0, 0, 1, 1);
  mjr_readPixels(rgb, NULL, full, con);
  for (int y = 0; y < full.height; y++) {
    for (int x = 0; x < full.width; x++) {
      const unsigned char* pixel = at(rgb, full.width, x, y);
      const int inside = x >= 10 && x < 40 && y >= 20 && y < 60;
      HOLDS(pixel[0] == 0 && pixel[1] == 0 && pixel[2] == (inside ? 255 : 0));
    }
  }
  mjr_overlay(mjFONT_NORMAL, mjGRID_TOPRIGHT, full, "time\nenergy", "1.5\n2.5", con);
  mjr_readPixels(rgb, NULL, full, con);
  int white = 0;
  for (int y = full.height - 60; y < full.height; y++) {
    for (int x = full.width - 200; x < full.width; x++) white += at(rgb, full.width, x, y)[0] == 255;
  }
  HOLDS(white > 100);
  const int height = con->charHeight;
  mjr_changeFont(mjFONTSCALE_300, con);
  HOLDS(con->fontScale == 300 && con->charHeight > height && con->charHeightBig == 2 * con->charHeight);
  mjr_rectangle(full, 0, 0, 0, 1);
  mjr_text(mjFONT_NORMAL, "I", con, 0.5, 0.5, 1, 0, 0);
  mjr_label(part, mjFONT_NORMAL, "", 0, 1, 0, 1, 1, 1, 1, con);
  mjr_readPixels(rgb, NULL, full, con);
  int red = 0;
  for (int i = 0; i < full.width * full.height; i++) red += rgb[3 * i] == 255 && !rgb[3 * i + 1];
  HOLDS(red > 20 && at(rgb, full.width, 15, 25)[1] == 255);

  mjvFigure* figure = malloc(sizeof(mjvFigure));
  mjv_defaultFigure(figure);
  strcpy(figure->title, "height");
  strcpy(figure->linename[0], "ball");
  figure->linepnt[0] = 50;
  for (int i = 0; i < 50; i++) {
    figure->linedata[0][2 * i] = (float)i;
    figure->linedata[0][2 * i + 1] = (float)(i * i);
  }
  mjr_figure(full, figure, con);
  HOLDS(figure->xaxisdata[1] == 49 && figure->yaxisdata[1] == 49 * 49);
  HOLDS(figure->xaxispixel[0] > 0 && figure->xaxispixel[1] > figure->xaxispixel[0]);
  mjr_readPixels(rgb, NULL, full, con);
  // a quarter of the height in the middle of the axis
  const int x = (figure->xaxispixel[0] + figure->xaxispixel[1]) / 2;
  const int y = figure->yaxispixel[0] + (figure->yaxispixel[1] - figure->yaxispixel[0]) / 4;
  int found = 0;
  for (int dy = -4; dy <= 4; dy++) found += abs(at(rgb, full.width, x, y + dy)[0] - (int)lround(255 * figure->linergb[0][0])) < 2;
  HOLDS(found > 0);
  free(figure);

  unsigned char pixel[3] = {1, 2, 3}, read[3] = {0};
  const mjrRect corner = {5, 6, 1, 1}, outside = {full.width, 0, 1, 1};
  mjr_drawPixels(pixel, NULL, corner, con);
  mjr_readPixels(read, NULL, corner, con);
  HOLDS(!memcmp(pixel, read, 3));
  mjr_addAux(3, 20, 10, 0, con);
  HOLDS(con->auxWidth[3] == 20 && con->auxHeight[3] == 10);
  mjr_setAux(3, con);
  mjr_rectangle((mjrRect){0, 0, 20, 10}, 1, 1, 0, 1);
  mjr_blitAux(3, (mjrRect){0, 0, 20, 10}, 5, 6, con);
  mjr_readPixels(read, NULL, corner, con);
  HOLDS(read[0] == 255 && read[1] == 255 && read[2] == 0);
  REFUSED(mjr_readPixels(read, NULL, outside, con), "beyond the buffer");
  REFUSED(mjr_setAux(10, con), "auxiliary buffer 10");
  REFUSED(mjr_setBuffer(mjFB_WINDOW, con), "window");
  REFUSED(mjr_setBuffer(2, con), "framebuffer 2");
  REFUSED(mjr_uploadMesh(model, con, 0), "mesh index 0");
  REFUSED(mjr_resizeOffscreen(100000, 10, con), "100000");
  model->tex_data[0] = 99;
  mjr_uploadTexture(model, con, 0);
  mjr_resizeOffscreen(100, 50, con);
  HOLDS(mjr_maxViewport(con).width == 100 && !mjr_getError());
  mjr_finish();
  free(rgb);
}

// each thread with a context of its own
static void* work(void* number) {
  if (setjmp(out)) {
    printf("thread: %s\n", said);
    exit(1);
  }
  mjrContext con;
  mjr_defaultContext(&con);
  mjr_makeContext(model, &con, mjFONTSCALE_100);
  mjvScene scene;
  fill(&scene);
  static const mjrRect rect = {0, 0, WIDTH, HEIGHT};
  unsigned char rgb[3 * WIDTH * HEIGHT];
  for (int i = 0; i < 3; i++) {
    mjr_render(rect, &scene, &con);
    mjr_rectangle((mjrRect){0, 0, 1, 1}, 0, 0, (float)(size_t)number, 1);
    mjr_readPixels(rgb, NULL, rect, &con);
    HOLDS(rgb[2] == (number ? 255 : 0) && at(rgb, WIDTH, WIDTH / 2, HEIGHT / 2)[0] > 100);
  }
  mjv_freeScene(&scene);
  mjr_freeContext(&con);
  return NULL;
}

int main(int argc, char** argv) {
  mju_user_error = onerror;
  mjSpec* spec = mj_parseXMLString(XML, NULL, NULL, 0);
  HOLDS(spec);
  model = mj_compile(spec, NULL);
  HOLDS(model);
  data = mj_makeData(model);
  mj_forward(model, data);

  mjrContext con, none;
  mjr_defaultContext(&con);
  mjr_defaultContext(&none);
  if (setjmp(out)) {
    printf(strstr(said, "no graphics adapter") || strstr(said, "without the feature") ? "skipped: %s\n" : "%s\n", said);
    return !strstr(said, "no graphics adapter") && !strstr(said, "without the feature");
  }
  mjr_makeContext(model, &con, mjFONTSCALE_150);
  HOLDS(con.glInitialized && con.currentBuffer == mjFB_OFFSCREEN && !con.windowAvailable);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  scenes(&con, argc > 1 ? argv[1] : NULL);
  texts(&con);

  // without a model there are texts
  mjr_makeContext(NULL, &none, mjFONTSCALE_100);
  mjvScene scene;
  fill(&scene);
  const mjrRect rect = {0, 0, 10, 10};
  REFUSED(mjr_render(rect, &scene, &none), "without a model");
  mjv_freeScene(&scene);
  mjr_rectangle(rect, 1, 1, 1, 1);
  mjrContext copy = none;
  mjr_freeContext(&none);
  mjr_freeContext(&none);
  mjr_freeContext(&copy);
  REFUSED(mjr_rectangle(rect, 1, 1, 1, 1), "no rendering context");
  REFUSED(mjr_render(rect, &scene, &none), "mjr_makeContext");
  HOLDS(mjr_findRect(5, 5, 1, &rect) == 0 && mjr_findRect(10, 5, 1, &rect) == -1);

  pthread_t other[2];
  for (size_t i = 0; i < 2; i++) pthread_create(&other[i], NULL, work, (void*)i);
  for (size_t i = 0; i < 2; i++) pthread_join(other[i], NULL);
  mjr_freeContext(&con);
  mj_deleteData(data);
  mj_deleteModel(model);
  mj_deleteSpec(spec);
  printf("drawn\n");
  return 0;
}
