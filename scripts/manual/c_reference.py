"""Makes the page of the C surface from floc.h: its sections, and for each function, struct, enumeration and callback the
comment and the declaration as they stand there.

    c_reference.py HEADER OUTPUT
"""
import re
import sys


def plain(comment):
    """A comment's text: without the stars, lines joined to paragraphs, list items kept."""
    body = re.sub(r"^/\*|\*/$", "", comment.strip())
    lines = [re.sub(r"^\s*\*? ?", "", line) for line in body.split("\n")]
    paragraphs, out = [], []
    for line in lines:
        if not line.strip():
            paragraphs.append([])
        elif re.match(r"\s*- ", line) or not paragraphs:
            paragraphs.append([line.strip()])
        else:
            paragraphs[-1].append(line.strip())
    for paragraph in paragraphs:
        if paragraph:
            out.append(escape(" ".join(paragraph)))
    return "\n\n".join(out)


def escape(text):
    return re.sub(r"([*_<>|$])", r"\\\1", text)


def items(text):
    """Comments and declarations in order: ("comment", text) or ("code", text)."""
    position, depth, begin = 0, 0, None
    while position < len(text):
        if text.startswith("/*", position):
            end = text.index("*/", position) + 2
            if begin is None:
                yield "comment", text[position:end]
                position = end
                continue
            position = end
            continue
        character = text[position]
        if begin is None:
            if character == "\n":
                if text[position:position + 2] == "\n\n":
                    yield "gap", ""
                position += 1
                continue
            if character.isspace():
                position += 1
                continue
            begin = position
        depth += (character == "{") - (character == "}")
        position += 1
        if character == ";" and depth == 0:
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            yield "code", text[begin:end].rstrip()
            position, begin = end, None


def name_of(code):
    bare = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    callback = re.match(r"typedef\s[^(]*\(\*(\w+)\)", bare)
    if callback:
        return callback.group(1)
    typedef = re.match(r"typedef\b.*?(\w+)\s*;\s*$", bare, re.S)
    if typedef:
        return typedef.group(1)
    call = re.search(r"(\w+)\s*\(", bare)
    if call and "{" not in bare:
        return call.group(1)
    constant = re.match(r"enum\s*\{\s*(\w+)", bare)
    return constant.group(1) if constant else bare.strip()


def kind_of(code):
    if re.match(r"typedef\s[^(;{]*\(\*", code):
        return "callback"
    for word in ("struct", "enum"):
        if re.match(rf"(typedef )?{word}\b", code):
            return word
    return "function"


def reference(header):
    head = re.match(r"/\*.*?\*/", header, re.S).group(0)
    body = header[len(head):]
    body = re.sub(r"#ifdef __cplusplus.*?#endif", "", body, flags=re.S)
    body = re.sub(r"(?m)^#.*$", "", body)
    out = ["# The C surface", "", "Made from the comments and declarations of `floc/floc.h`.", "", plain(head), ""]
    comment, functions = None, []
    for what, text in items(body):
        section = re.match(r"/\* -{2,4} ?(.*?) ?-*\s*\*/", text) if what == "comment" else None
        if section and "\n" not in text:
            out += [f"## {section.group(1).strip()[:1].upper()}{section.group(1).strip()[1:]}", ""]
            comment = None
        elif what == "comment":
            comment = comment + "\n\n" + plain(text) if comment else plain(text)
        elif what == "gap":
            if comment:  # it stands by itself
                out += [comment, ""]
                comment = None
        else:
            name = name_of(text)
            out += [f"### {escape(name)}", "", f"*{kind_of(text)}*", ""]
            if comment:
                out += [comment, ""]
                comment = None
            out += ["```c", text, "```", ""]
            functions.append(name)
    return "\n".join(out) + "\n", functions


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        page, _ = reference(file.read())
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(page)
