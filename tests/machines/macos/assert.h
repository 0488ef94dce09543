/* What the engine takes from macOS's <assert.h> (by POSIX and the C standard). See cmake/macos.cmake. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_rtn(__func__, __FILE__, __LINE__, #condition))
#endif
#define static_assert _Static_assert
_Noreturn void __assert_rtn(const char *, const char *, int, const char *);
