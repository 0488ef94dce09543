"""Holds the engine's objects against the order of its modules, and finds functions that nothing but a test calls.

    symbols.py SOURCE BUILD

A module (a folder of engine/, or engine/ itself for what knows the world) may use those before it in the order that
CONTRIBUTING.md states. A function of the engine that is not public (floc_...) is used by another file, or it is static:
what no file of the engine but its own refers to, and its own file only defines, is dead, whatever tests call it.

And no object, of the engine, of the Lua modules or of pictures, calls a mathematical function of the C library whose
results are rounded: floc_sin and so on have the same bits everywhere. The vector library of laws with fast_math has other
names.
"""
import pathlib
import re
import subprocess
import sys

WORLD = "world"
ROUNDED = """exp exp2 expm1 log log2 log10 log1p pow sin cos sincos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh cbrt
    hypot fmod erf erfc lgamma tgamma""".split()


def modules_in_order(source):
    text = (source / "CONTRIBUTING.md").read_text()
    match = re.search(r"in a fixed order: ([\w,\s]+?)\.", text)
    if not match:
        sys.exit("CONTRIBUTING.md states no order of the engine's modules")
    return re.findall(r"\w+", match.group(1)) + [WORLD]


def module_of(path):
    return path.parts[0] if len(path.parts) > 1 else WORLD


def symbols(source, objects):
    defined, wanted = {}, {}
    for one in sorted(objects.rglob("*.o")):
        path = one.relative_to(objects)
        if not (source / "engine" / path.with_suffix("")).exists():  # left from before a file was moved
            continue
        lines = subprocess.run(["nm", one], capture_output=True, text=True, check=True).stdout.splitlines()
        for kind, name in (line.split()[-2:] for line in lines):
            if kind == "U":
                wanted.setdefault(name, []).append(path)
            elif kind in "TDBRC":
                defined[name] = path
    return defined, wanted


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def upward(order, defined, wanted):
    for name, users in wanted.items():
        for user in users:
            if name in defined and order.index(module_of(defined[name])) > order.index(module_of(user)):
                yield f"{user} uses {name} of {defined[name]}, which comes later in the order"


def dead(source, defined, wanted):
    for name, path in sorted(defined.items()):
        if name.startswith("floc_") or name in wanted:
            continue
        text = without_comments((source / "engine" / path.with_suffix("")).read_text())
        if len(re.findall(rf"\b{name}\b", text)) < 2:
            yield f"{path.with_suffix('')}: nothing in the engine uses {name}"


def wanted_by_bindings(build):
    wanted = {}
    folders = sorted(build.glob("CMakeFiles/floc_lua_objects_*.dir")) + sorted(build.glob("CMakeFiles/floc_picture*.dir"))
    for one in (path for folder in folders for path in sorted(folder.rglob("*.o"))):
        for name in subprocess.run(["nm", "-u", one], capture_output=True, text=True, check=True).stdout.split()[1::2]:
            wanted.setdefault(name, []).append(one.relative_to(build / "CMakeFiles"))
    return wanted


def rounded(wanted):
    for name in ROUNDED:
        for user in wanted.get(name, []) + wanted.get(name + "f", []):
            yield f"{user} calls {name} of the C library, whose bits depend on the machine; floc_{name} does not"


def main():
    source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    objects = build / "CMakeFiles" / "floc_objects.dir" / "engine"
    defined, wanted = symbols(source, objects)
    if len(defined) < 100:
        sys.exit(f"{objects} holds {len(defined)} symbols: it was not built")
    faults = [*upward(modules_in_order(source), defined, wanted), *dead(source, defined, wanted), *rounded(wanted),
              *rounded(wanted_by_bindings(build))]
    for fault in faults:
        print(fault)
    print(f"{len(defined)} symbols, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
