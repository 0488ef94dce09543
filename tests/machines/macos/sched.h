/* What the engine takes from macOS's <sched.h>, from what POSIX and the C standard say. See cmake/macos.cmake. */
#ifndef MACOS_SCHED_H
#define MACOS_SCHED_H

int sched_yield(void);

#endif
