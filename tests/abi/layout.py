"""What an older header says is true of the present one: size and place of every member, value of every enumerator, every function.

    python3 layout.py OLDER.h PRESENT.h libfloc.so CC FOLDER

Structs may have grown, but only behind their old end (older programs leave padding undefined), and only those that begin with
struct_size; a member's type may have another name, but not another size. Both headers are compiled by CC; functions are looked
for in the library, also those that the present header has as macros.
"""
import re
import subprocess
import sys

older, present, library, compiler, folder = sys.argv[1:]


def parts(path):
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    text = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    structs = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.S):
        members = []
        for declaration in body.split(";"):
            pointer = re.search(r"\(\*(\w+)\)", declaration)
            names = [pointer[1]] if pointer else [re.sub(r"(\[[^\]]*\])+", "", one).split()[-1].lstrip("*")
                                                  for one in declaration.split(",") if one.strip()]
            members += names
        structs[name] = members
    enumerators = []
    for body in re.findall(r"enum \w* ?\{(.*?)\}", text, re.S):
        enumerators += [name for name in re.findall(r"(FLOC_\w+)", re.sub(r"=[^,]*", "", body)) if "_VERSION_" not in name]
    outside = re.sub(r"\{.*?\}", "", text, flags=re.S)
    functions = sorted(set(re.findall(r"\b(floc_\w+)\s*\(", re.sub(r"typedef[^;]*;", "", outside))))
    return structs, enumerators, functions


def layout(header, structs, enumerators, label):
    lines = ['#include "%s"' % header, "#include <stdio.h>", "int main(void)\n{"]
    for name, members in structs.items():
        lines.append('  printf("size %s %%zu\\n", sizeof(%s));' % (name, name))
        lines += ['  printf("member %s.%s %%zu %%zu\\n", offsetof(%s, %s), sizeof((%s *)0)->%s);' % (name, m, name, m, name, m) for m in members]
    lines += ['  printf("value %s %%d\\n", (int)%s);' % (e, e) for e in enumerators]
    source = "%s/%s.c" % (folder, label)
    open(source, "w").write("\n".join(lines + ["  return 0;", "}", ""]))
    subprocess.run([compiler, "-std=gnu11", source, "-o", source[:-2]], check=True)
    answer = subprocess.run([source[:-2]], check=True, capture_output=True, text=True).stdout
    return {" ".join(line.split()[:2]): [int(word) for word in line.split()[2:]] for line in answer.splitlines()}


structs, enumerators, functions = parts(older)
assert len(structs) > 40 and sum(map(len, structs.values())) > 400 and len(enumerators) > 100 and len(functions) > 80, "the patterns miss parts"
now_structs, now_enumerators, _ = parts(present)
missing = [name for name in structs if name not in now_structs] + [e for e in enumerators if e not in now_enumerators]
missing += [name + "." + m for name in structs for m in structs[name] if m not in now_structs.get(name, [])]
if missing:
    sys.exit("gone: " + ", ".join(missing))
then = layout(older, structs, enumerators, "older")
now = layout(present, now_structs, now_enumerators, "present")
wrong = []
for key, value in then.items():
    kind, name = key.split()
    if kind == "size":
        added = [m for m in now_structs[name] if m not in structs[name]]
        if now[key] != value and structs[name][0] != "struct_size":
            wrong.append("%s is frozen, but has %d bytes instead of %d" % (name, now[key][0], value[0]))
        wrong += ["%s.%s begins at %d, within the %d bytes that %s had" % (name, m, now["member %s.%s" % (name, m)][0], value[0], name)
                  for m in added if now["member %s.%s" % (name, m)][0] < value[0]]
        if added and now[key] == value:
            wrong.append("%s has new members and its old size" % name)
    elif key.startswith("value ") and key.endswith("_COUNT") and now[key] > value:
        pass  # how many there are; a list grows at its end
    elif now[key] != value:
        wrong.append("%s: %s instead of %s" % (key, now[key], value))
embedded = [(name, m) for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\};?", open(present).read(), re.S)
            for m in re.findall(r"^\s*(floc_\w+) \w+;", body, re.M) if now_structs.get(m, [""])[0] == "struct_size" and m in structs]
twins = {"floc_flow_function", "floc_trace_report"}  # as 0.1.0 had them, for ever: they never grow
wrong += ["%s has a member of type %s, which could no longer grow" % pair for pair in embedded if pair[1] not in twins]
wrong += ["%s is frozen, but has %d bytes instead of %d" % (t, now["size " + t][0], then["size " + t][0])
          for t in twins if "size " + t in then and now["size " + t] != then["size " + t]]
symbols = {line.split()[-1] for line in subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines()}
wrong += ["the library has no function " + name for name in functions if name not in symbols]
print("%d structs, %d members, %d enumerators, %d functions" % (len(structs), sum(map(len, structs.values())), len(enumerators), len(functions)))
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
