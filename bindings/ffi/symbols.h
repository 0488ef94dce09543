/*
 * The public functions of floc.h by name, for FFI: the module hides the names of the library in it, so they cannot
 * be looked up. The table is made from the header at build time (cmake/symbols.cmake).
 */
#ifndef FLOC_FFI_SYMBOLS_H
#define FLOC_FFI_SYMBOLS_H

typedef struct public_symbol {
  const char *name; /* NULL ends the list */
  void (*address)(void);
} public_symbol;

extern const public_symbol public_symbols[];

#endif
