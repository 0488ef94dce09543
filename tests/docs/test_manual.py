"""The manual is whole: every page is in its list, every status has its line, the page of the C surface has every function and
type of the header, the man page and the links hold; where Sphinx is installed the HTML is built without a warning.

    test_manual.py SOURCE BUILD COMPILER
"""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCE, "scripts/manual"))
import c_reference  # noqa: E402

KATEX = "/usr/share/javascript/katex"


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def pages():
    """All pages, relative to the repository."""
    found = []
    for folder in ("docs", "examples"):
        for where, _, names in os.walk(os.path.join(SOURCE, folder)):
            found += [os.path.relpath(os.path.join(where, name), SOURCE) for name in names if name.endswith(".md")]
    return sorted(found)


def links(path):
    text = re.sub(r"```.*?```", "", read(path), flags=re.S)
    text = re.sub(r"`[^`]*`", "", text)
    return re.findall(r"\]\(([^)\s]+)\)", text)


class Manual(unittest.TestCase):
    def test_every_page_is_listed(self):
        listed = {os.path.normpath(os.path.join("docs", link)) for link in links("docs/index.md")}
        missing = [page for page in pages() if page != "docs/index.md" and page not in listed]
        self.assertEqual(missing, [], "docs/index.md does not list these")

    def test_links_lead_somewhere(self):
        for page in pages() + ["README.md"]:
            for link in links(page):
                path = link.split("#")[0]
                if path and not re.match(r"https?:", link):
                    target = os.path.join(SOURCE, os.path.dirname(page), path)
                    self.assertTrue(os.path.exists(target), f"{page} links to {link}")

    def test_every_status_is_explained(self):
        page = read("docs/errors.md")
        statuses = re.findall(r"\b(FLOC_\w+) = (-?\d+)", re.search(r"typedef enum floc_status \{.*?\}", read("include/floc/floc.h"), re.S).group(0))
        self.assertGreater(len(statuses), 10)
        for name, number in statuses:
            self.assertRegex(page, rf"(?m)^\| `{name}` \| {number} \|", f"docs/errors.md has no line for {name}")
        self.assertEqual(len(re.findall(r"(?m)^\| `FLOC_", page)), len(statuses), "docs/errors.md has a status that is none")

    def test_status_words(self):
        """The words in the table are those of floc_status_name."""
        page = read("docs/errors.md")
        rows = re.findall(r"(?m)^\| `FLOC_\w+` \| (-?\d+) \| (.*?) \|", page)
        script = f'''
            if not rawget(_G, "jit") then print "no FFI" return end
            local c = require "floc.ffi"
            for k = 0, {1 - len(rows)}, -1 do print(k .. "|" .. require("ffi").string(c.lib.floc_status_name(k))) end'''
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
            file.write(script)
            file.flush()
            result = subprocess.run([os.path.join(BUILD, "floc"), "run", file.name, "--quiet"], stdout=subprocess.PIPE, text=True, check=True)
        if "no FFI" in result.stdout:
            self.skipTest("the program's Lua has no FFI")
        said = dict(line.split("|") for line in result.stdout.split("\n") if "|" in line)
        self.assertEqual(dict(rows), said)

    def test_c_surface_is_whole(self):
        header = read("include/floc/floc.h")
        page, names = c_reference.reference(header)
        bare = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
        expected = set(re.findall(r"(?m)^(?:const )?\w+ \*?(floc_\w+)\(", bare))
        expected |= set(re.findall(r"(?m)^typedef \w+ \*?\(\*(floc_\w+)\)", bare))
        expected |= set(re.findall(r"(?m)^\} (floc_\w+);", bare))
        self.assertGreater(len(expected), 100)
        self.assertEqual(sorted(expected - set(names)), [])
        self.assertEqual(len(names), len(set(names)))
        # Nothing that is said in the header is lost: all words of its comments are on the page, in order.
        words = iter(re.findall(r"\w+", page.replace("\\", "")))
        for comment in re.findall(r"/\*.*?\*/", header, re.S):
            if re.match(r"/\* -", comment):
                continue
            for word in re.findall(r"\w+", comment):
                self.assertTrue(any(word == one for one in words), f"lost: {word}, of {comment[:200]}")

    def test_html(self):
        if not importlib.util.find_spec("sphinx") or not importlib.util.find_spec("myst_parser") or not os.path.exists(KATEX):
            self.skipTest("Sphinx, MyST or KaTeX is not installed")
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "manual")
            result = subprocess.run([sys.executable, os.path.join(SOURCE, "scripts/manual/build.py"), SOURCE, output, "0"],
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(result.returncode, 0, result.stdout)
            for page in pages() + ["docs/c.md"]:
                path = os.path.join(output, page[:-3] + ".html")
                self.assertTrue(os.path.exists(path), path)
            with open(os.path.join(output, "docs/schemes/inelastic.html"), encoding="utf-8") as file:
                html = file.read()
            self.assertIn('class="math', html)
            for kind, source in re.findall(r'<(script|link)\b[^>]*?(?:src|href)="([^"]+)"', html):
                self.assertFalse(re.match(r"https?:|//", source), f"{kind} {source} comes over the net")
            self.assertTrue(os.path.exists(os.path.join(output, "searchindex.js")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
