// Sizes, pointers and numbers at the edge of what the headers allow, and beyond it where that can be told: an error or a result, never a
// crash; and messages with as many arguments as there are.
#include <limits.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

// exported, though not in the headers
extern void mju_gather(mjtNum* res, const mjtNum* vec, const int* ind, int n);
extern void mju_gatherInt(int* res, const int* vec, const int* ind, int n);
extern void mju_scatter(mjtNum* res, const mjtNum* vec, const int* ind, int n);
extern void mju_error_v(const char* msg, va_list args);
extern void mju_scatterInt(int* res, const int* vec, const int* ind, int n);

static jmp_buf out;
static char said[1024];
static int errors;

static void onerror(const char* message) {
  strncpy(said, message, sizeof(said) - 1);
  errors++;
  longjmp(out, 1);
}

static void onwarning(const char* message) { strncpy(said, message, sizeof(said) - 1); }

#define REFUSED(call)                                                             \
  do {                                                                            \
    const int before = errors;                                                    \
    if (setjmp(out) == 0) call;                                                   \
    HOLDS(errors == before + 1 && !strstr(said, "internal error"));               \
  } while (0)

// calls without a prototype that the compiler would check
static void* (*volatile allocate)(size_t) = mju_malloc;
static void (*volatile warning)(const char*, ...) = mju_warning;
static void (*volatile error)(const char*, ...) = mju_error;

static void error_with_list(const char* message, ...) {
  va_list list;
  va_start(list, message);
  mju_error_v(message, list);
  va_end(list);
}

static void messages(void) {
  char expected[1024], text[900];
#define SAME(...)                                                                 \
  do {                                                                            \
    snprintf(expected, sizeof(expected), __VA_ARGS__);                            \
    warning(__VA_ARGS__);                                                         \
    HOLDS(!strcmp(said, expected));                                               \
    const int before = errors;                                                    \
    if (setjmp(out) == 0) error(__VA_ARGS__);                                     \
    HOLDS(errors == before + 1 && !strcmp(said, expected));                       \
    said[0] = 0;                                                                  \
    if (setjmp(out) == 0) error_with_list(__VA_ARGS__);                           \
    HOLDS(errors == before + 2 && !strcmp(said, expected));                       \
  } while (0)
  SAME("nothing");
  SAME("100%% of %s", "it");
  SAME("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  SAME("%g %g %g %g %g %g %g %g %g %g %g %g", .1, .2, .3, .4, .5, .6, .7, .8, .9, 1., 1.1, 1.2);
  SAME("%d %g %s %g %lld %g %c %g %zu %g %u %g %x %g %i %g %d %g %d %.*f", 1, .5, "two", 1.5, 3LL, 2.5, 'c', 3.5, (size_t)4, 4.5, 5u, 5.5, 6,
       6.5, 7, 7.5, 8, 8.5, 9, 3, 9.5);
  SAME("%Lf after %g", 1.25L, 2.5);
  SAME("%2$s %1$s", "world", "hello");
  memset(text, 'x', sizeof(text) - 1);
  text[sizeof(text) - 1] = 0;
  SAME("%s!", text);
  SAME("%s and %s", text, text);
}

// strings and lists that are set to parts of themselves
static void own_parts(void) {
  mjSpec* spec = mj_makeSpec();
  mjsGeom* geom = mjs_addGeom(mjs_findBody(spec, "world"), NULL);
  mjs_setString(geom->meshname, "a/name that has a folder in front");
  mjs_setString(geom->meshname, mjs_getString(geom->meshname) + 2);
  HOLDS(!strcmp(mjs_getString(geom->meshname), "name that has a folder in front"));
  mjs_setString(geom->meshname, mjs_getString(geom->meshname) + 25);
  HOLDS(!strcmp(mjs_getString(geom->meshname), " front"));
  mjs_setString(geom->meshname, mjs_getString(geom->meshname) + 1);
  HOLDS(!strcmp(mjs_getString(geom->meshname), "front"));
  const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
  int n;
  mjs_setDouble(geom->userdata, numbers, 8);
  const double* own = mjs_getDouble(geom->userdata, &n);
  mjs_setDouble(geom->userdata, own, n);
  own = mjs_getDouble(geom->userdata, &n);
  HOLDS(n == 8 && !memcmp(own, numbers, sizeof(numbers)));
  mjs_setDouble(geom->userdata, own + 1, n - 1);
  own = mjs_getDouble(geom->userdata, &n);
  HOLDS(n == 7 && !memcmp(own, numbers + 1, 7 * sizeof(double)));
  mj_deleteSpec(spec);
}

int main(void) {
  mju_user_error = onerror;
  mju_user_warning = onwarning;
  messages();
  own_parts();

  REFUSED(allocate(SIZE_MAX));
  REFUSED(allocate(SIZE_MAX - 62));

  // null pointers
  mjtNum values[64];
  int places[4] = {0, 1, 2, 3}, numbers[4] = {0};
  for (int i = 0; i < 64; i++) values[i] = i % 7 == 3 ? NAN : 64 - i;
  REFUSED(mju_gather(values, NULL, places, 4));
  REFUSED(mju_gather(values, values, NULL, 4));
  REFUSED(mju_gatherInt(numbers, NULL, places, 4));
  REFUSED(mju_scatter(values, NULL, places, 4));
  REFUSED(mju_scatterInt(numbers, NULL, places, 4));
  mju_gather(NULL, NULL, NULL, 0);
  mju_gather(NULL, NULL, NULL, -1);

  // pointers that no number lies at
  char bytes[64] = {0};
  mjtNum* odd = (mjtNum*)(bytes + 1);
  REFUSED(mju_norm(odd, 3));
  REFUSED(mju_normalize(odd, 3));
  mju_zero3(odd);

  // what is not a number has no order
  if (setjmp(out)) HOLDS(0);
  mju_insertionSort(values, 64);
  REFUSED(mju_encodePyramid(values, values + 8, values + 16, INT_MIN));
  REFUSED(mju_decodePyramid(values, values + 8, values + 16, INT_MIN));

  char text[1000];
  mjSpec* spec = mj_parseXMLString("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>", NULL, text, sizeof(text));
  HOLDS(spec);
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  REFUSED(mj_solveM(m, d, values, NULL, 1));
  REFUSED(mj_solveM2(m, d, values, NULL, values, 1));
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  printf("%d refused\n", errors);
  return 0;
}
