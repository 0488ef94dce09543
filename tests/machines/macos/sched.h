/* What the engine takes from macOS's <sched.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#ifndef MACOS_SCHED_H
#define MACOS_SCHED_H

int sched_yield(void);

#endif
