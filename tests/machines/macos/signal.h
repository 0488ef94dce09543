/* What the engine takes from macOS's <signal.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_SIGNAL_H
#define MACOS_SIGNAL_H

#include <sys/types.h>
typedef unsigned int sigset_t;
#define SIG_SETMASK 3
int kill(pid_t, int);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int sigfillset(sigset_t *);

#endif
