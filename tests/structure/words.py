"""Holds comments, messages and documents against the words that docs/glossary.md replaces.

    words.py SOURCE [--all]

A word of WORDS is an error wherever prose stands: comments and strings of C and Lua, comments of scripts, the text of
documents. Code is not looked at, nor are fenced blocks and `quoted` names in documents. An idiom of ordinary English
that contains such a word is listed beside it; a place that needs the word for a reason of its own stands in ALLOWED
with that reason, and an entry of ALLOWED that no place needs any more is an error too.
"""
import pathlib
import re
import sys

# word: (what to say, regular expression, idioms that are ordinary English)
WORDS = [
    ("displacement", r"ways? (?:gone|since)|(?:the|its|their|own|greatest|longest|how long a|this|a|whose) ways? (?:of (?:a |the )?(?:particle|point|centre|bod|surface|first|second)|that (?:it|a particle|particles|they) (?:can |may |could )?(?:go|goes|went|moved?|gone)|it (?:can|may|could) go)", []),
    ("neighbour list, neighbours", r"near (?:list|lists|pair|pairs|entry|entries)", []),
    ("force and torque", r"push(?:es|ed|ing)?", [r"push(?:es|ed)? (?:and pop|onto|on the (?:Lua )?stack)", r"git push"]),
    ("body", r"obstacles?", []),
    ("predicted; unpredictable branch", r"foretold|foretell", []),
    ("a priori velocity", r"free velocit(?:y|ies)", []),
    ("variant", r"manners?", []),
    ("module", r"rooms?", [r"(?:no|make|makes|is|leaves?|has|have|the|of|more|enough|needs?|for) room(?= (?:for|left|to|in|is|behind|at|between)|[.,;:)\"]|$)"]),
    ("re-check", r"second looks?|looked at (?:a second time|again)", []),
    ("detach", r"(?:come|comes|came|coming) unstuck|unstuck", []),
    ("moment arm", r"levers?", []),
    ("complete, valid", r"whole (?:file|checkpoint|state file|one)s?|(?:file|checkpoint)s? (?:is|are|was|were) whole|newest whole|(?:is|are) whole(?=[.,;:)\"]|$)", []),
    ("fraction of", r"shares? of", []),
    ("limit", r"caps?|capped", []),
    ("connected", r"(?:hang|hangs|hung|hanging) together", []),
    ("worker states", r"states? of (?:their|its) own", []),
    ("a string", r"a text|texts", []),
    ("free flight", r"(?:straight|flies?|flown) (?:flights?|straight)", []),
    ("approach", r"(?:come|comes|came|coming) (?:nearer|closer)", []),
    ("interlocked", r"(?:dis)?entangle[sd]?", []),
    ("SIMD packet", r"packs?|packed together", []),
    ("again; rebuilt", r"anew", []),
    ("no caller, nothing", r"nobody", []),
    ("the caller, code that", r"whoever|who (?:asks|calls|wants|solves|reads|uses)", []),
    ("truncated", r"(?:file|checkpoint|line|table)s? (?:is|are|was|were) cut", []),
    ("restore", r"(?:bring|brings|brought|bringing) (?:it |them |that |this )?back", []),
    ("continue", r"(?:go|goes|went|going|gone) on", []),
    ("movie", r"films?", []),
    ("less often, more likely", r"seldom|(?:the )?rather", [r"rather than", r"or rather"]),
    ("that number of", r"so many", []),
    ("is reported", r"(?:is|are) said|says? so|said so", []),
    ("partially", r"half ?way", []),
    ("release", r"lets? go|letting go", []),
    ("repeated; omitted", r"(?:do|does|did|done|doing) (?:anew|without)", []),
    ("interactive run", r"steered", []),
    ("integer", r"whole numbers?", []),
]

# (file, words as they stand there): why
ALLOWED = {}
