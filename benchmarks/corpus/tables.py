"""The table of docs/solvers.md: a row for each problem, between two marks; and whether the page has a row for each."""
import datetime
import pathlib
import platform

BEGIN, END = "<!-- measured: begin (benchmarks/corpus/run.sh table writes this part) -->", "<!-- measured: end -->"
# Solver, start: what a row says. Others than auto get fewer products.
COLUMNS = [("auto", "warm", 5000), ("auto", "cold", 5000), ("interior_point", "cold", 5000), ("apgd", "cold", 1000)]


def number(value, digits=2):
    return f"{value:.{digits}g}" if value < 1000 else f"{value:,.0f}"


def cell(one):
    """Products, milliseconds, difference from the reference; the residual where it is above the tolerance."""
    if not one:
        return "-"
    rest = one["residual"] / one["tolerance"]
    text = f"{one['products']:,}, {number(one['milliseconds'])} ms, {number(one.get('difference', float('nan')), 1)}"
    return text if one["converged"] else f"**{number(rest)} tol.** after {text}"


def rows(measured):
    """measured: by problem, in order, what was measured for each of COLUMNS."""
    titles = " | ".join(f"{solver} {start}" for solver, start, _ in COLUMNS)
    yield f"| problem | bodies | contacts | tolerance / r | {titles} |"
    yield "| --- " * (4 + len(COLUMNS)) + "|"
    for name, ones in measured.items():
        first = ones[0]
        yield (f"| {name} | {first['bodies']:,} | {first['contacts']:,} | {number(first['tolerance'] / first['radius'])} | "
               + " | ".join(map(cell, ones)) + " |")


def write(page, measured):
    text = page.read_text()
    before, after = text.index(BEGIN) + len(BEGIN), text.index(END)
    solved = [sum(bool(one and one["converged"]) for one in column) for column in zip(*measured.values())]
    head = (f"Measured on {datetime.date.today().isoformat()}, {platform.machine()}, one thread. Solved to the tolerance, of {len(measured)}: "
            + ", ".join(f"{solver} {start} {count}" for (solver, start, _), count in zip(COLUMNS, solved)) + ".")
    page.write_text(text[:before] + "\n" + head + "\n\n" + "\n".join(rows(measured)) + "\n" + text[after:])


def faults(page, problems):
    """problems: name, bodies, contacts of each. What the page has not, or has of problems that are no more."""
    text = page.read_text()
    part = text[text.index(BEGIN):text.index(END)]
    shown = {tuple(cells.strip() for cells in line.split("|")[1:4]) for line in part.splitlines() if line.startswith("| ")}
    wanted = {(name, f"{bodies:,}", f"{contacts:,}") for name, bodies, contacts in problems}
    known = {("problem", "bodies", "contacts"), ("---", "---", "---")}
    found = [f"{pathlib.Path(page).name} has no row for {name}, {bodies} bodies, {contacts} contacts" for name, bodies, contacts in sorted(wanted - shown)]
    return found + [f"{pathlib.Path(page).name} has a row for {name}, {bodies}, {contacts}, which is no problem of the corpus"
                    for name, bodies, contacts in sorted(shown - wanted - known)]
