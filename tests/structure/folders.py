"""No folder has more than 25 files side by side, but for those that docs/decisions.md names with a reason.

    folders.py SOURCE

The names stand in backquotes in the paragraph that begins with "**No folder has more than 25 files side by side". A
name that is no longer needed is a fault as well, so that the list does not outlive its reasons.
"""
import os
import pathlib
import re
import sys

MOST = 25
# What builds and editors leave is no part of the sources.
SKIPPED = re.compile(r"^(\..*|build.*|node_modules|__pycache__)$")


def exceptions(source):
    text = (source / "docs" / "decisions.md").read_text()
    paragraph = re.search(rf"\*\*No folder has more than {MOST} files side by side.*?(?=\n\n|\Z)", text, re.S)
    if not paragraph:
        sys.exit(f"docs/decisions.md has no paragraph about folders with more than {MOST} files")
    return set(re.findall(r"`(\w+/[\w/]+)`", paragraph.group(0)))


def counts(source):
    for folder, inside, files in os.walk(source):
        inside[:] = sorted(name for name in inside if not SKIPPED.match(name))
        yield pathlib.Path(folder).relative_to(source).as_posix(), sum(not SKIPPED.match(name) for name in files)


def main():
    source = pathlib.Path(sys.argv[1])
    allowed = exceptions(source)
    large = {name: count for name, count in counts(source) if count > MOST}
    faults = [f"{name} has {count} files side by side, more than {MOST}: sort it into folders, or give the reason in docs/decisions.md"
              for name, count in sorted(large.items()) if name not in allowed]
    faults += [f"docs/decisions.md names {name}, which has no more than {MOST} files or is not there" for name in sorted(allowed - large.keys())]
    for fault in faults:
        print(fault)
    print(f"{len(large)} folders with more than {MOST} files, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
