"""The same comparison with Python's cffi: header.py HEADER_TEXT C_ANSWERS libfloc.so"""
import sys

import cffi

text = open(sys.argv[1]).read()
answers = [line.split() for line in open(sys.argv[2])]
ffi = cffi.FFI()
ffi.cdef(text)
try:
    cffi.FFI().cdef(text + "\nthis line is no C;\n")
    sys.exit("a line that is no C goes unnoticed")
except cffi.CDefError:
    pass
library = ffi.dlopen(sys.argv[3])
wrong = 0
for kind, name, value in answers:
    if kind == "size":
        found = ffi.sizeof(name)
    elif kind == "offset":
        struct, field = name.split(".")
        found = ffi.offsetof(struct, field)
    elif kind == "enum":
        found = getattr(library, name)
    else:
        found = int(getattr(library, name) != ffi.NULL)
    if found != int(value):
        wrong += 1
        print(kind, name, "C has", value, "cffi", found)
print(len(answers), "compared,", wrong, "wrong")
sys.exit(wrong != 0)
