"""./benchmarks/run.sh after everything is installed and built: main.py BUILD_FOLDER [options].
With --check in place of the folder: only looks whether the options are right."""
import sys
from pathlib import Path

import machine
import performance
import results
from options import HELP, PEERS, WrongOption, parse_options
from peers import Workshop
from process import Failed
from scenes import TABLE, cases_of

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "performance.md"
RESULTS = Path(__file__).resolve().parent.parent / "results"


def measure_case(shop, case, options):
    """All rounds of one case; in each round the codes take turns."""
    entry = results.new_entry(case)
    entry["measured"] = machine.moment() + (f" **{options.note}**" if options.note else "")
    wanted = [name for name in case.runs if results.code_of(name) == "floc" or results.code_of(name) in options.peers]
    for turn in range(options.rounds_of(case)):
        for name in wanted:
            if turn >= case.slow.get(name, 10**9) or entry["codes"].get(name, {}).get("failed"):
                continue
            try:
                values, command = case.runs[name](shop)
                results.note_run(entry, case, name, values, command)
                print(f"scene {case.scene}, {case.name}, round {turn + 1}, {name}: "
                      f"{results.number_text(case.figure.of(values))} {case.figure.label}", flush=True)
            except Exception as problem:  # whatever a peer does wrong belongs into the table, not on the way of the others
                words = str(problem) if isinstance(problem, Failed) else f"{type(problem).__name__}: {problem}"
                results.note_failure(entry, name, words)
                print(f"scene {case.scene}, {case.name}, {name}: not measured: {words}", flush=True)
    return entry


def merge(old, entries, scenes):
    """Scenes that were not run now stay as they were."""
    kept = [entry for entry in old["entries"] if entry["scene"] not in scenes] if old else []
    return sorted(kept + entries, key=lambda entry: entry["scene"])


def write_table(folder, options, entries, scenes, command):
    name = machine.machine_name()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    old = results.read_record(path) if path.exists() else None
    record = {"machine": name, "command": command, "description": machine.describe(PEERS),
              "entries": merge(old, entries, scenes)}
    results.write_record(path, record)
    table = folder / f"{name}.md"
    table.write_text(results.table_text(record, TABLE))
    print(f"written: {table}")
    page = PAGE if not options.output else None
    if page and options.size != "quick":
        page.write_text(performance.fill(page.read_text(), record))
        print(f"filled: {page}")


def compare(folder, entries):
    path = folder / f"{machine.machine_name()}.json"
    if not path.exists():
        print(f"there is no table of this machine to compare with ({path}); run without --compare first", file=sys.stderr)
        return 2
    lines, slower = results.compare_entries(results.read_record(path), {"entries": entries})
    print("\n".join(lines))
    print(f"{slower} slower" if slower else "nothing became slower")
    return 1 if slower else 0


def main(words):
    build, words = words[0], words[1:]
    try:
        options = parse_options(words)
    except WrongOption as problem:
        print(f"run.sh: {problem}", file=sys.stderr)
        return 2
    if options.help:
        print(HELP, end="")
        return 0
    if build == "--check":
        return 0
    shop = Workshop(build)
    folder = Path(options.output) if options.output else RESULTS
    entries = []
    for scene in TABLE:
        if scene.number not in options.scenes:
            continue
        entries += [measure_case(shop, case, options) for case in cases_of(scene, options.size)]
        if not options.compare:  # after each scene, so that a run that is stopped leaves what it has
            done = {entry["scene"] for entry in entries}
            write_table(folder, options, entries, done, " ".join(["./benchmarks/run.sh", *(word for word in words if not word.startswith(("--note", "--output")))]))
    return compare(folder, entries) if options.compare else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
