"""Builds the manual as HTML: copies the pages so that links between them hold, makes the page of the C surface, calls
Sphinx. Warnings (a link that leads nowhere, say) are errors.

    build.py SOURCE OUTPUT [VERSION]
"""
import os
import shutil
import subprocess
import sys

import c_reference

KATEX = "/usr/share/javascript/katex"
HERE = os.path.dirname(os.path.abspath(__file__))
FRONT = '<!DOCTYPE html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url=docs/index.html">\n<a href="docs/index.html">The manual of floc</a>\n'


def stage(source, folder):
    """A copy of what the pages link to: docs, and the examples with their pages."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shutil.copytree(os.path.join(source, "docs"), os.path.join(folder, "docs"))
    shutil.copytree(os.path.join(source, "examples"), os.path.join(folder, "examples"))
    with open(os.path.join(source, "include/floc/floc.h"), encoding="utf-8") as file:
        page, _ = c_reference.reference(file.read())
    with open(os.path.join(folder, "docs/c.md"), "w", encoding="utf-8") as file:
        file.write(page)
    static = os.path.join(folder, "_static")
    shutil.copytree(KATEX, os.path.join(static, "katex"), ignore=shutil.ignore_patterns("contrib", "*.mjs", "*.ttf", "*.woff"))
    for name in ("formulas.js", "manual.css"):
        shutil.copy(os.path.join(HERE, name), static)
    shutil.copy(os.path.join(HERE, "conf.py"), folder)


def build(source, output, version=""):
    work = output.rstrip("/") + ".work"
    stage(source, work)
    shutil.rmtree(output, ignore_errors=True)
    environment = dict(os.environ, FLOC_VERSION=version)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", work, output]
    status = subprocess.run(command, env=environment).returncode
    shutil.rmtree(os.path.join(output, ".doctrees"), ignore_errors=True)
    if status == 0:
        with open(os.path.join(output, "index.html"), "w", encoding="utf-8") as file:
            file.write(FRONT)
        shutil.rmtree(work)
    return status


if __name__ == "__main__":
    sys.exit(build(*sys.argv[1:4]))
