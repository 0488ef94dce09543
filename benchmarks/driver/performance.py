"""The measured part of docs/performance.md: bandwidth, bytes per particle and step, split by stage."""
from statistics import median

from cases import Case, Figure, value
from process import read_values

BEGIN, END = "<!-- measured: begin (run.sh writes this part) -->", "<!-- measured: end -->"


# ---- bandwidth, a case of scene 9 ----

def bandwidth_run(threads, megabytes):
    def run(shop):
        text, command = shop.run("bandwidth_benchmark", threads, megabytes, 10)
        return read_values(text), command
    return run


def bandwidth_case(size):
    runs = {"floc, 1 thread": bandwidth_run(1, 512), "floc, 2 threads": bandwidth_run(2, 512),
            "floc, 1 thread, second-level cache": bandwidth_run(1, 0.5)}
    return [Case(9, "memory bandwidth (STREAM triad)", Figure("GB/s", value("best_gigabytes_per_second")), runs,
                 [("median of ten, GB/s", value("median_gigabytes_per_second")), ("right (1: yes)", value("right"))],
                 ratio_of="floc, 2 threads", note="Three vectors of 512 MB, 24 bytes per element; best of ten.")]


# ---- bytes that a step must move per particle, counted from the columns that its loops read and write ----

def packing_bytes(entries, contacts):
    """Scene 1: soft spheres with friction and rotation, velocity Verlet (discrete_element/verlet.c, plain.c)."""
    return [("positions, first half", "reads x, v, spin (72), radius, mass (16), force and torque (48); writes the working copy (80), search radius (8)", 224),
            ("neighbors", "reads position (24), position at the last list (24), search radius (8)", 56),
            ("contacts", "reads the working copy (80), row start (8); per entry: partner (4), flag (1); per contact: spring read and "
                         "written (48); writes force and torque (48)", 80 + 8 + 48 + 5 * entries + 48 * contacts),
            ("positions, second half", "reads mass (8); writes x, v, spin (72); the rest is in the cache", 80)]


def aggregation_bytes(contacts, products, entries, lists):
    """Scene 4: the projection in the plane, attraction and flow, loop by loop; the solve by its products with the matrix. Per
    particle: contacts, entries of the list, lists per step."""
    return [("check of the state (particles.c)", "reads position and velocity, three components each (48)", 48),
            ("search radii (projection.c, projection/sweep.c)", "inverse mass (16); mean radius (8); test of fast motion: position, velocity (32); "
             "smallest radii (16); radii by velocities: position, velocity, radius, search radius read and written (56)", 128),
            ("is the list still valid (skin_check.c)", "position now and at the last list, bound, radius, search radius (56), cover (8); twice more: cover, search radius (32)", 96),
            ("building a list (skin.c, grid.c, search.c, pair_list.c)", f"{lists:.2f} times per step: columns and points of the grid (400), per entry numbers, "
             "memory and positions in the old and the new list (56)", lists * (400 + 56 * entries)),
            ("laws (attraction.c)", "force cleared, read and written (48), rows (20), position, radius (24); per entry its numbers (8)", 92 + 8 * entries),
            ("a priori velocity (flow.c, projection.c)", "position, velocity, force, mass (56), V* (16); search radii by V* (56)", 128),
            ("contacts (assembly.c)", "position, radius, search radius (32); per entry its numbers (8); per contact the impulse before (8); numbers, normal, "
             "distance, bound, impulse (60)", 32 + 8 * entries + 68 * contacts),
            ("solve", "per product: velocity read and written (32), per contact numbers, normal, diagonal, impulse read and written (48)",
             products * (32 + 48 * contacts)),
            ("is a particle beyond its search radius (projection.c, missed.c)", "search radius kept (16); search radii by V (56); search radius before and after (16)", 88),
            ("checks of the solution (projection/commit.c)", "V (16); V and radius (24), per contact numbers, normal, distance (32)", 40 + 32 * contacts),
            ("memory of pairs (assembly_memory.c)", "per entry cleared (8); per contact entry and impulse (16)", 8 * entries + 16 * contacts),
            ("positions (projection/commit.c)", "V, mass (24), position read and written (32), velocity written (16)", 72)]


def least_bytes(contacts):
    """The same step, if every stage went through its columns but once and made no lists: outside of the solve."""
    laws, velocity, neighbors, assembly, positions = 40 + 8 * contacts, 80, 64, 24 + 64 * contacts, 64 + 8 * contacts
    return laws + velocity + neighbors + assembly + positions


# ---- the text ----

def find(record, scene, start, code):
    """The code's block of the last case of the scene whose name begins so, with when it was measured."""
    found = [{**entry["codes"][code], "measured": entry.get("measured", "")} for entry in record["entries"]
             if entry["scene"] == scene and entry["case"].startswith(start) and entry["codes"].get(code, {}).get("figures")]
    return found[-1] if found else None


def middle(code, key):
    numbers = [values[key] for values in code["values"] if key in values]
    return median(numbers) if numbers else None


def stage_text(code):
    names = [key for key in code["values"][-1] if key.startswith("stage.")]
    return ", ".join(f"{name[6:]} {middle(code, name):.0f} %" for name in sorted(names, key=lambda n: -middle(code, n))
                     if middle(code, name) >= 0.5)


def limit_lines(title, parts, nanoseconds, bandwidth, code):
    total = sum(part[2] for part in parts)
    lines = [f"### {title}", "", "| part of the step | what it must move | bytes per particle |", "| --- | --- | --- |"]
    lines += [f"| {name} | {what} | {count:.0f} |" for name, what, count in parts]
    lines += [f"| **sum** | | **{total:.0f}** |", "",
              f"The step takes {nanoseconds:.0f} ns of CPU time per particle on one thread. By stage: {stage_text(code)}. {code['measured']}", ""]
    if bandwidth:
        least = total / bandwidth
        lines += [f"At {bandwidth:.1f} GB/s those bytes take {least:.0f} ns: the step is **{nanoseconds / least:.1f} times** that limit.", ""]
    return lines


def solve_share(code):
    return (middle(code, "stage.solve") or 0.0) / 100.0


def measured_lines(record):
    lines = [f"From `benchmarks/results/{record['machine']}.md`.", ""]
    triad = {threads: find(record, 9, "memory bandwidth", f"floc, {threads}") for threads in ("1 thread", "2 threads",
                                                                                                 "1 thread, second-level cache")}
    bandwidth = median(triad["1 thread"]["figures"]) if triad["1 thread"] else None
    lines += ["### Bandwidth", "", "| STREAM triad | GB/s |", "| --- | --- |"]
    lines += [f"| {name} | {median(code['figures']):.1f} |" for name, code in triad.items() if code] + [""]
    if triad["1 thread"]:
        lines += [triad["1 thread"]["measured"], ""]
    for count in ("32,000", "256,000"):
        code = find(record, 1, count, "floc")
        if code:
            particles = middle(code, "particles")
            contacts = middle(code, "contacts") / particles
            entries = 1.1 * contacts
            ns = 1e9 * middle(code, "cpu_seconds") / (particles * middle(code, "steps"))
            lines += limit_lines(f"Scene 1, {count} spheres ({contacts:.2f} contacts per particle, about {entries:.1f} entries of the list)",
                                 packing_bytes(entries, contacts), ns, bandwidth, code)
    for count in ("100,000", "1,000,000"):
        code = find(record, 4, f"step, 2-D, {count}", "floc")
        if code:
            particles = float(count.replace(",", ""))
            contacts, products = middle(code, "contacts") / particles, middle(code, "iterations")
            entries, lists = middle(code, "entries"), middle(code, "lists")
            if entries is None:
                continue
            ns = 1e3 * middle(code, "us")
            parts = aggregation_bytes(contacts, products, entries, lists)
            lines += limit_lines(f"Scene 4, 2-D, {count} particles ({contacts:.2f} contacts and {entries:.1f} entries of the list per particle, "
                                 f"{products:.1f} products per step)", parts, ns, bandwidth, code)
            if bandwidth:
                outside, least = sum(part[2] for part in parts if part[0] != "solve"), least_bytes(contacts)
                rest = ns * (1.0 - solve_share(code))
                lines += [f"Outside the solve: {outside:.0f} bytes, {outside / bandwidth:.0f} ns at that bandwidth, {rest:.0f} ns measured: "
                          f"**{rest * bandwidth / outside:.1f} times** the limit of the loops as they are written. A step that built no lists and "
                          f"passed through the columns of laws, a priori velocity, neighbors, contacts and positions only once would move {least:.0f} bytes; "
                          f"the factor to that limit is **{rest * bandwidth / least:.1f}**.", ""]
    return lines


def fill(page, record):
    """The page with its measured part replaced."""
    head, _, rest = page.partition(BEGIN)
    _, found, tail = rest.partition(END)
    if not found:
        raise ValueError(f"the page has no part between {BEGIN} and {END}")
    return head + BEGIN + "\n\n" + "\n".join(measured_lines(record)).rstrip() + "\n\n" + END + tail
