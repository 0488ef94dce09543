"""Measured runs: their record (JSON, one beside each table), the table, and the comparison of two records."""
import json
from statistics import median


def code_of(run_name):
    """floc, lammps, ... from names like "floc, 2 threads"."""
    return run_name.split(",")[0].split(" ")[0].lower()


def spread(numbers):
    """Half of what lies between the greatest and the least, over the median."""
    middle = median(numbers)
    return 0.5 * (max(numbers) - min(numbers)) / abs(middle) if middle else 0.0


def figures(case, runs):
    return [number for number in (case.figure.of(values) for values in runs) if number is not None]


def new_entry(case):
    return {"scene": case.scene, "case": case.name, "figure": case.figure.label,
            "higher_is_better": case.figure.higher_is_better, "ratio_of": case.ratio_of, "note": case.note, "measured": "", "codes": {}}


def note_run(entry, case, name, values, command):
    """Keeps of one run the figure, the quality columns and the numbers that it came with."""
    shown = {label: of(values) for label, of in case.quality}
    code = entry["codes"].setdefault(name, {"figures": [], "quality": [], "values": [], "command": command})
    code["figures"].append(case.figure.of(values))
    code["quality"].append({label: number for label, number in shown.items() if number is not None})
    code["values"].append({key: number for key, number in values.items() if isinstance(number, (int, float))})


def note_failure(entry, name, words):
    entry["codes"].setdefault(name, {"figures": [], "quality": [], "values": [], "command": ""})["failed"] = words


def write_record(path, record):
    path.write_text(json.dumps(record, indent=1) + "\n")


def read_record(path):
    return json.loads(path.read_text())


# ---- the table ----

def number_text(number, digits=4):
    if number is None:
        return ""
    if isinstance(number, str):
        return number
    return f"{number:.{digits}g}" if number == 0 or 1e-4 <= abs(number) < 1e5 else f"{number:.{max(digits - 1, 1)}e}"


def advantage(entry, mine, theirs):
    """How many times better `mine` is: above 1 is better whichever way the figure counts."""
    return mine / theirs if entry["higher_is_better"] else theirs / mine


def middle_quality(code, label):
    numbers = [row[label] for row in code["quality"] if label in row]
    if not numbers:
        return None
    return numbers[-1] if isinstance(numbers[-1], str) else median(numbers)


def case_table(entry):
    labels = list(dict.fromkeys(label for code in entry["codes"].values() for row in code["quality"] for label in row))
    base = entry["codes"].get(entry["ratio_of"], {}).get("figures")
    heads = ["code", entry["figure"], "least to greatest", "rounds", f"{entry['ratio_of']} is better by", *labels]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    for name, code in entry["codes"].items():
        if not code["figures"]:
            continue
        found = code["figures"]
        ratio = "" if name == entry["ratio_of"] or not base else f"{advantage(entry, median(base), median(found)):.2f}"
        cells = [name, number_text(median(found)), f"{number_text(min(found))} to {number_text(max(found))}",
                 str(len(found)), ratio, *(number_text(middle_quality(code, label)) for label in labels)]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def case_text(entry):
    lines = [f"### {entry['case']}", "", *case_table(entry), ""]
    for name, code in entry["codes"].items():
        if code.get("failed"):
            lines += [f"**{name}: not measured**: {code['failed']}", ""]
    lines += [" ".join(text for text in (entry["note"], entry.get("measured", "")) if text), ""]
    lines += ["```sh", *dict.fromkeys(code["command"] for code in entry["codes"].values() if code["command"]), "```", ""]
    return lines


def memory_lines(entries):
    """Bytes per particle: the growth of the peak memory from the smallest size to the greatest."""
    peaks = {}
    for entry in entries:
        for name, code in entry["codes"].items():
            for values in code["values"]:
                if "peak_bytes" in values and "particles" in values:
                    peaks.setdefault(name, {})[values["particles"]] = values["peak_bytes"]
    lines = []
    for name, by_count in peaks.items():
        least, most = min(by_count), max(by_count)
        if most > least:
            per = (by_count[most] - by_count[least]) / (most - least)
            lines.append(f"| {name} | {per:.0f} | {by_count[most] / 1048576:.0f} MB at {most:,.0f} |")
    if not lines:
        return []
    return ["### Memory", "", "Peak resident memory, its growth from the smallest size to the greatest by particle; whatever the code "
            "needs to read its start included.", "", "| code | bytes per particle | greatest |", "| --- | --- | --- |", *lines, ""]


def table_text(record, scenes):
    lines = [f"# Measured: {record['machine']}", ""]
    lines += [f"Written by `{record['command']}`. Medians over rounds in which the codes take turns; one thread unless a row says otherwise. "
              "Ratios above 1 mean that floc is better. Every block ends with the commands that made it; programs of "
              "floc and starts are made by run.sh in `build-benchmarks`, scene files are in `benchmarks/scenes`, raw numbers in the "
              "`.json` file beside this one.", "", "| | |", "| --- | --- |"]
    lines += [f"| {name} | {text} |" for name, text in record["description"]] + [""]
    for scene in scenes:
        entries = [entry for entry in record["entries"] if entry["scene"] == scene.number]
        if not entries:
            continue
        lines += [f"## {scene.number}. {scene.title}", "", scene.text, ""]
        for entry in entries:
            lines += case_text(entry)
        if scene.number == 1:
            lines += memory_lines(entries)
    return "\n".join(lines).rstrip() + "\n"


# ---- comparison ----

LEAST_BAND = 0.03  # what two runs of the same program differ by on a quiet machine
FEW_BAND = 0.10    # instead, where fewer than three rounds cannot show their spread


def band(before, now):
    """By how much two medians may differ: both spreads, and what is noise anyway."""
    return (LEAST_BAND if min(len(before), len(now)) >= 3 else FEW_BAND) + spread(before) + spread(now)


def compare_entries(before, now):
    """Lines of words about each run of floc that both have, and how many became slower."""
    known = {(entry["scene"], entry["case"]): entry for entry in before["entries"]}
    lines, slower = [], 0
    for entry in now["entries"]:
        old = known.get((entry["scene"], entry["case"]))
        for name, code in entry["codes"].items():
            title = f"scene {entry['scene']}, {entry['case']}, {name}"
            if code.get("failed"):
                lines.append(f"{title}: FAILED: {code['failed']}")
                slower += 1
                continue
            if not old or not old["codes"].get(name, {}).get("figures"):
                lines.append(f"{title}: new, nothing to compare with")
                continue
            past, present = old["codes"][name]["figures"], code["figures"]
            change = advantage(entry, median(present), median(past))
            allowed = band(past, present)
            word = "SLOWER" if change < 1.0 - allowed else "faster" if change > 1.0 + allowed else "as before"
            slower += word == "SLOWER"
            lines.append(f"{title}: {word}: {number_text(median(past))} before, {number_text(median(present))} now "
                         f"({100 * (change - 1):+.1f} %, band {100 * allowed:.1f} %)")
    return lines, slower
