/*
 * The loops of many.c for one kind of registers: included once for each, with TARGET, the attribute, and FOR(f),
 * the name.
 */
#define X(f)                                                                                                       \
  TARGET static void FOR(f)(const double *x, const double *y, double *to, int32_t count)                           \
  {                                                                                                                \
    (void)y;                                                                                                       \
    for (int32_t begin = 0; begin < count; begin += TOGETHER) {                                                    \
      int32_t left = count - begin < TOGETHER ? count - begin : TOGETHER;                                          \
      double from[TOGETHER], value[TOGETHER];                                                                      \
      memcpy(from, x + begin, (size_t)left * sizeof *from);                                                        \
      uint64_t all = 1;                                                                                            \
      for (int32_t k = 0; k < left; k++) {                                                                         \
        value[k] = f##_lane(from[k]);                                                                              \
        all &= (uint64_t)f##_ordinary(from[k]);                                                                    \
      }                                                                                                            \
      for (int32_t k = 0; k < left && !all; k++)                                                                   \
        if (!f##_ordinary(from[k])) value[k] = floc_##f(from[k]);                                                  \
      memcpy(to + begin, value, (size_t)left * sizeof *value);                                                     \
    }                                                                                                              \
  }
MATHEMATICS_OF_ONE(X)
#undef X

#define X(f)                                                                                                       \
  TARGET static void FOR(f)(const double *x, const double *y, double *to, int32_t count)                           \
  {                                                                                                                \
    for (int32_t begin = 0; begin < count; begin += TOGETHER) {                                                    \
      int32_t left = count - begin < TOGETHER ? count - begin : TOGETHER;                                          \
      double first[TOGETHER], second[TOGETHER], value[TOGETHER];                                                   \
      memcpy(first, x + begin, (size_t)left * sizeof *first);                                                      \
      memcpy(second, y + begin, (size_t)left * sizeof *second);                                                    \
      uint64_t all = 1;                                                                                            \
      for (int32_t k = 0; k < left; k++) {                                                                         \
        value[k] = f##_lane(first[k], second[k]);                                                                  \
        all &= (uint64_t)f##_ordinary(first[k], second[k]);                                                        \
      }                                                                                                            \
      for (int32_t k = 0; k < left && !all; k++)                                                                   \
        if (!f##_ordinary(first[k], second[k])) value[k] = floc_##f(first[k], second[k]);                          \
      memcpy(to + begin, value, (size_t)left * sizeof *value);                                                     \
    }                                                                                                              \
  }
MATHEMATICS_OF_TWO(X)
#undef X

static function_of_many *const FOR(table)[MATHEMATICS_FUNCTIONS] = {
#define X(f) FOR(f),
    MATHEMATICS_OF_ONE(X) MATHEMATICS_OF_TWO(X)
#undef X
};

#undef TARGET
#undef FOR
