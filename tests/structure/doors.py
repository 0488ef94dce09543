"""Finds loops over all particles of a table that bypass engine/particles/owned.h.

    doors.py SOURCE

A table may hold ghosts, and a loop has to say whether it means owned particles or all slots: EACH_OWNED, EACH_SLOT,
owned_for, slots_for and the like. A loop from 0 to table->count, serial or parallel, says neither. A variable of a
function that was set to table->count counts as that.
"""
import pathlib
import re
import sys

TABLE = r"\b(?:table|particles)(?:->|\.)count\b"
KEPT = re.compile(rf"\b(\w+) = (?:\(\w+\))?[\w>.-]*{TABLE}(?= *[,;])")
SERIAL = r"\bfor \([^;]*;[^;]*<=? *\(?(?:\(\w+\))?(?:{bound})(?! *[/*+-])"
PARALLEL = r"\bparallel_(?:for|sum|max|count|total|copy|clear)\([^;]*?(?:{bound})"


def functions(text):
    """(number of its first line, text) of each function."""
    start = 0
    for match in re.finditer(r"^}", text, re.M):
        yield text.count("\n", 0, start), text[start:match.end()]
        start = match.end()


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)


def bypasses(text):
    for line, body in functions(without_comments(text)):
        names = set(KEPT.findall(body))
        bound = "|".join([rf"[\w>.-]*{TABLE}", *(rf"(?<![\w>.]){name}\b(?! *(?:->|\.))" for name in sorted(names))])
        for pattern in (SERIAL, PARALLEL):
            for match in re.finditer(pattern.replace("{bound}", bound), body):
                yield line + body.count("\n", 0, match.start()) + 1


def main():
    engine = pathlib.Path(sys.argv[1]) / "engine"
    faults = []
    for path in sorted(engine.rglob("*.[ch]")):
        if path.stem != "owned" or path.parent.name != "particles":
            faults += [f"{path.relative_to(engine.parent)}:{line}" for line in sorted(bypasses(path.read_text()))]
    for fault in faults:
        print(f"{fault}: a loop over a whole table; engine/particles/owned.h says how")
    print(f"{len(faults)} loops say neither owned nor all")
    return 1 if faults else 0


sys.exit(main())
