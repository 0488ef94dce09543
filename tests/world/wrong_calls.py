"""Writes the table of all functions and structs of floc.h for test_wrong_calls.c, so that no function can be forgotten.

    python3 wrong_calls.py floc.h wrong_calls_table.h

Of each function: a call by an array of values, and what its arguments are; of each struct: its fields with place, type and
number. Types that are not known here end with an error: then this file has to learn them.
"""
import re
import sys

NUMBERS = {"double": "DOUBLE", "int32_t": "I32", "uint32_t": "U32", "int64_t": "I64", "uint64_t": "I64", "size_t": "SIZE",
           "bool": "BOOL"}


def strip(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return "\n".join(line for line in text.split("\n") if not line.startswith("#"))


def split_name(declaration):
    """(type, name, is it an array) of "const double gravity[3]"."""
    match = re.match(r"(.*?)(\w+)((?:\[\w*\])*)$", " ".join(declaration.split()))
    return match.group(1).strip(), match.group(2), bool(match.group(3))


def read(text):
    structs, enums, functions = {}, [], []
    for match in re.finditer(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.S):
        structs[match.group(1)] = [" ".join(field.split()) for field in match.group(2).split(";") if field.strip()]
    enums = re.findall(r"typedef enum (\w+) \{", text)
    callbacks = re.findall(r"typedef [^;{]*\(\*(\w+)\)\(", text)
    rest = re.sub(r"typedef (?:struct|enum) (\w+) \{.*?\} \1;", "", text, flags=re.S)
    rest = re.sub(r"typedef[^;]*;", "", rest)
    for match in re.finditer(r"([\w][\w\s\*]*?)\b(floc_\w+)\s*\(([^;]*)\);", rest):
        inside = match.group(3).strip()
        functions.append((match.group(1).strip(), match.group(2), [] if inside == "void" else inside.split(",")))
    return structs, enums, callbacks, functions


def argument(declaration, structs, enums, callbacks):
    """(kind, struct or "") of an argument."""
    kind, name, is_array = split_name(declaration)
    plain = kind.replace("const ", "").strip()
    base = plain.rstrip("* ").strip()
    stars = plain.count("*") + is_array
    if stars == 0:
        if plain in NUMBERS:
            return NUMBERS[plain], ""
        if plain in enums:
            return "I32", ""
        if plain in callbacks:
            return "CALLBACK", ""
    if stars == 1 and base == "floc_world":
        return "WORLD", ""
    if stars == 1 and base == "floc_file":
        return "FILE_HANDLE", ""
    if stars == 1 and base in structs and "count" not in name:
        return "STRUCT", base
    if stars == 1 and base == "char" and kind.startswith("const"):
        return "TEXT", ""
    if stars == 1 and base not in structs and base.startswith("floc_"):
        return "HANDLE", ""  # NULL is all that can be wrong with it
    if stars == 2 and "*const" in kind and base in ("char", "double"):
        return ("NAMES" if base == "char" else "COLUMNS"), ""
    if stars >= 1:
        return "BUFFER", ""
    raise SystemExit("wrong_calls.py does not know the argument \"%s\"" % declaration)


def cast(declaration):
    kind, _, is_array = split_name(declaration)
    return kind + (" *" if is_array else "")


def fields_of(name, structs, enums):
    rows = []
    for field in structs[name]:
        if "(" in field:
            continue  # a function
        names = field.split(",")
        kind, _, _ = split_name(names[0])
        plain = kind.replace("const ", "").strip()
        if plain not in NUMBERS and plain not in enums:
            continue  # pointers, texts and structs within structs
        for one in names:
            label = split_name("x " + one.strip().split(" ")[-1])[1]
            rows.append('{"%s", %s, offsetof(%s, %s), sizeof((%s *)0)->%s / sizeof(%s)}'
                        % (label, NUMBERS.get(plain, "I32"), name, label, name, label, plain))
    return rows


def main(header, target):
    structs, enums, callbacks, functions = read(strip(open(header).read()))
    inits = {name for _, name, _ in functions if name.endswith("_init_sized")}
    names = sorted(structs)
    out = ["/* Made by wrong_calls.py from floc.h. */"]
    for name in names:
        rows = fields_of(name, structs, enums) or ['{"", BOOL, 0, 0}']
        out.append("static const call_field fields_%s[] = {%s};" % (name, ", ".join(rows)))
        if name + "_init_sized" in inits:
            out.append("static void init_%s(void *place) { (void)%s_init_sized(place, sizeof(%s)); }" % (name, name, name))
    out.append("static const call_struct structs[] = {")
    for name in names:
        sized = structs[name][0] == "uint32_t struct_size"
        init = "init_" + name if name + "_init_sized" in inits else "NULL"
        out.append('{"%s", sizeof(%s), %s, %s, fields_%s, sizeof fields_%s / sizeof *fields_%s},'
                   % (name, name, "true" if sized else "false", init, name, name, name))
    out.append("};")
    table = []
    for result, name, arguments in functions:
        kinds = [argument(a, structs, enums, callbacks) for a in arguments]
        places = {"DOUBLE": "real", "I32": "narrow", "U32": "narrow", "I64": "wide", "SIZE": "wide", "BOOL": "truth"}
        call = ", ".join("NULL" if kinds[k][0] == "CALLBACK" else "(%s)a[%d].%s" % (cast(a), k, places.get(kinds[k][0], "pointer"))
                         for k, a in enumerate(arguments))
        is_status = result == "floc_status"
        out.append("static int call_%s(const call_value *a) { (void)a; %s%s(%s)%s; }"
                   % (name, "return (int)" if is_status else "(void)", name, call, "" if is_status else "; return 0"))
        described = ", ".join('{"%s", %s, %d}' % (split_name(arguments[k])[1], kind, names.index(struct) if struct else -1)
                              for k, (kind, struct) in enumerate(kinds)) or '{"", BOOL, -1}'
        out.append("static const call_argument arguments_%s[] = {%s};" % (name, described))
        table.append('{"%s", call_%s, arguments_%s, %d, %s},' % (name, name, name, len(kinds), "true" if is_status else "false"))
    out += ["static const call_function functions[] = {"] + table + ["};", ""]
    open(target, "w").write("\n".join(out))


main(sys.argv[1], sys.argv[2])
