"""Sphinx's configuration for the manual. Pages are Markdown (MyST); formulas are set by KaTeX from the pages' own
folder, so that everything can be read without a net, from a file."""
import importlib.util
import os
import re

project = "floc"
author = "The floc developers"
copyright = author
version = release = os.environ.get("FLOC_VERSION", "")
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
root_doc = "docs/index"
exclude_patterns = []
html_theme = "furo" if importlib.util.find_spec("furo") else "alabaster"
html_title = f"floc {version}"
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["katex/katex.min.css", "manual.css"]
html_js_files = ["katex/katex.js", "formulas.js"]
mathjax_path = "formulas.js"  # in place of MathJax, which would come over the net
suppress_warnings = ["myst.header"]
highlight_language = "text"
if html_theme == "alabaster":
    html_theme_options = {"page_width": "1100px", "sidebar_width": "280px", "fixed_sidebar": True}


def make_tree(app, name, source):
    """The front page lists all pages by heading; the tree of the navigation is made from that list."""
    if name != root_doc:
        return
    text, trees, caption, entries = source[0], [], None, []

    def close():
        if entries:
            trees.append("```{toctree}\n:hidden:\n:caption: " + (caption or "Pages") + "\n\n" + "\n".join(entries) + "\n```\n")

    text = text.replace("../include/floc/floc.h", "c.md")
    for line in text.split("\n"):
        heading = re.match(r"## (.*)", line)
        link = re.match(r"- \[(.*?)\]\((.*?)\)", line)
        if heading:
            close()
            caption, entries = heading.group(1), []
        elif link:
            entries.append(f"{link.group(1)} <{link.group(2)[:-3]}>")
    close()
    source[0] = text + "\n" + "\n".join(trees)


def setup(app):
    app.connect("source-read", make_tree)
