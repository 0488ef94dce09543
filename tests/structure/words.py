"""Holds messages, documents and comments against the words that docs/glossary.md replaces by the field's terms.

    words.py SOURCE

Looked at are the strings and comments of C, JavaScript and Lua in the engine, the bindings and the Lua half, the comments
of tests, benchmarks and examples, floc.h, and the text of documents without their fenced blocks. A place that needs such a
word stands in ALLOWED with the reason; an entry that no place needs any more is an error, too.
"""
import pathlib
import re
import sys

# what to say, and the words that it replaces
WORDS = [
    ("displacement", r"ways? (?:gone|since)|(?:the|its|their|own|greatest|longest|how long a|this|a|whose) ways? (?:of (?:a |the )?(?:particle|point|centre|bod|surface|first|second)|that (?:it|a particle|particles|they) (?:can |may |could )?(?:go|goes|went|moved?|gone)|it (?:can|may|could) go)"),
    ("neighbour list, neighbours", r"near (?:list|lists|pair|pairs|entry|entries)"),
    ("force and torque", r"push(?:es|ed|ing)?"),
    ("body", r"obstacles?"),
    ("predicted; unpredictable branch", r"foretold|foretell"),
    ("a priori velocity", r"free velocit(?:y|ies)"),
    ("variant", r"manners?"),
    ("module; space", r"rooms?"),
    ("re-check", r"second looks?|looked at (?:a second time|again)"),
    ("detach", r"(?:come|comes|came|coming) unstuck|unstuck"),
    ("moment arm", r"levers?"),
    ("complete; valid", r"(?:newest|first|older|old|every|each|a) whole (?:file|one)|whole files?|(?:file|checkpoint)s? (?:is|are|was|were) whole|newest whole"),
    ("fraction of", r"shares? of"),
    ("limit", r"caps?|capped"),
    ("are connected", r"(?:hang|hangs|hung) together"),
    ("worker states", r"states? of (?:their|its) own"),
    ("a string", r"a text|texts"),
    ("free flight", r"(?:straight|flies?|flown) (?:flights?|straight)"),
    ("approach", r"(?:come|comes|came|coming) (?:nearer|closer)"),
    ("interlocked", r"(?:dis)?entangle[sd]?"),
    ("SIMD packet", r"packs?|packed together"),
    ("again; rebuilt", r"anew"),
    ("no caller, nothing", r"nobody"),
    ("the caller, code that", r"whoever|who (?:asks|calls|wants|solves|reads|uses)"),
    ("truncated", r"(?:file|checkpoint|line|table)s? (?:is|are|was|were) cut"),
    ("restore", r"(?:bring|brings|brought|bringing) (?:it |them |that |this )?back"),
    ("continue", r"(?:go|goes|went|going|gone) on"),
    ("movie", r"films?"),
    ("less often; more likely", r"seldom|the rather"),
    ("that number of", r"so many"),
    ("is reported", r"says? so|said so|(?:and|which|that|this|it|nothing) is said"),
    ("partially", r"half ?way"),
    ("release", r"lets? go|letting go"),
    ("repeated; omitted", r"(?:is|are|be|was|were) done (?:anew|without)|can do without"),
    ("interactive run", r"steered"),
    ("integer", r"whole numbers?"),
]

# file, what stands there: why. A file "" is any.
ALLOWED = [
    ("", "viscous film", "a film of fluid, Lefebvre 2009"),
    ("", "the film between", "a film of fluid, Lefebvre 2009"),
    ("", "no film to", "a film of fluid, Lefebvre 2009"),
    ("", "no room", "the words of FLOC_NO_ROOM, which are public"),
    ("", "state of its own", "one state, of a contact, a module or a thread"),
    ("", "rays/push", "the name of a section of checkpoints"),
    ("", "`push`", "the name of a variable"),
    ("", "laws_moment.push", "the name of a variable"),
    ("", "`pushes`", "the name of a variable"),
    ("engine/laws/laws.h", "laws_settle_pushes(): push", "the name of a variable"),
    ("engine/laws/flow.c", "push a", "the name of a variable"),
    ("bindings/", "push", "values are pushed on Lua's stack"),
    ("benchmarks/solver_benchmark.c", "cap=PRODUCTS", "a parameter of the program"),
    ("scripts/floc/command/help_words.lua", "animation film", "words that a user may look for"),
    ("scripts/floc/command/help_words.lua", "pack packing", "words that a user may look for"),
    ("scripts/floc/session/replay.lua", "pack, unpack", "the names of two functions"),
]


C = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
LUA = re.compile(r'--\[(=*)\[.*?\]\1\]|--[^\n]*|\[(=*)\[.*?\]\2\]|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
TOKENS = {".c": C, ".h": C, ".js": C, ".lua": LUA}
GAP = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:(?:\*|//|--)[ \t]+)?)"  # a space, or the end of a line of a comment
WITH_STRINGS = ("engine", "bindings", "scripts", "include")
FOLDERS = WITH_STRINGS + ("tests", "benchmarks", "examples", "docs")
SKIPPED = ("tests/corpus/", "tests/abi/floc-", "docs/gallery", "benchmarks/results/", "node_modules")


def files(source):
    yield from sorted(source.glob("*.md"))
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            name = path.relative_to(source).as_posix()
            if path.suffix in (".md", *TOKENS) and not any(one in name for one in SKIPPED):
                yield path


def pieces(path, text, strings):
    """(offset, text) of what is prose: a document between its fenced blocks, comments, strings."""
    if path.suffix == ".md":
        offset = 0
        for number, part in enumerate(re.split(r"(?m)^[ \t]*```.*\n?", text)):
            offset = text.index(part, offset)
            if number % 2 == 0:
                yield offset, part
            offset += len(part)
        return
    for match in TOKENS[path.suffix].finditer(text):
        token = match.group(0)
        if token.startswith(("//", "/*", "--")) or strings and not token.startswith("'"):
            yield match.start(), token


def main():
    source = pathlib.Path(sys.argv[1])
    words = [(say, re.compile(r"(?<![\w-])(?:%s)(?![\w-])" % pattern.replace(" ", GAP), re.I)) for say, pattern in WORDS]
    needed, found = set(), 0
    for path in files(source):
        name = path.relative_to(source).as_posix()
        text = path.read_text()
        for offset, prose in pieces(path, text, name.startswith(WITH_STRINGS)):
            for say, pattern in words:
                for match in pattern.finditer(prose):
                    around = re.sub(r"\s*\n\s*(?:\*|//|--)?\s*", " ", prose[max(0, match.start() - 60):match.end() + 60])
                    allowed = [entry for entry in ALLOWED if name.startswith(entry[0]) and entry[1].lower() in around.lower()
                               and (match.group(0).lower() in entry[1].lower() or entry[1] in match.group(0).lower())]
                    needed.update(allowed)
                    if not allowed:
                        found += 1
                        print("%s:%d: \"%s\": say %s" % (name, text.count("\n", 0, offset + match.start()) + 1, match.group(0), say))
    for entry in ALLOWED:
        if entry not in needed:
            found += 1
            print("no place needs the exception \"%s\" (%s) any more" % (entry[1], entry[2]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
