/* What the engine takes from macOS's <fenv.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_FENV_H
#define MACOS_FENV_H

#if defined __aarch64__
typedef struct fenv_t {
  unsigned long long status, control;
} fenv_t;
#else
typedef struct fenv_t {
  unsigned short control, status;
  unsigned int vector;
  char reserved[8];
} fenv_t;
#endif
extern const fenv_t _FE_DFL_ENV;
#define FE_DFL_ENV   (&_FE_DFL_ENV)
#define FE_TONEAREST 0
int fegetenv(fenv_t *);
int fegetround(void);
int fesetenv(const fenv_t *);

#endif
