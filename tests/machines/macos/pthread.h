/* What the engine takes from macOS's <pthread.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_PTHREAD_H
#define MACOS_PTHREAD_H

#include <stddef.h>
typedef struct _opaque_pthread_t *pthread_t;
typedef struct pthread_attr_t {
  long sig;
  char opaque[56];
} pthread_attr_t;
typedef struct pthread_mutex_t {
  long sig;
  char opaque[56];
} pthread_mutex_t;
typedef struct pthread_cond_t {
  long sig;
  char opaque[40];
} pthread_cond_t;
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_init(pthread_cond_t *, const void *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_equal(pthread_t, pthread_t);
int pthread_join(pthread_t, void **);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_t pthread_self(void);

#endif
