// What programs that test the library share. They keep the last message of an error or a warning in `said`.
#include <stdio.h>
#include <stdlib.h>

#define HOLDS(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      printf("line %d: %s (said: %s)\n", __LINE__, #condition, said);             \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)
