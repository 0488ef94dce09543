"""Runs one program and reads what it says."""
import os
import subprocess

TICKS = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A program that could not be run, in words for the table."""


def run_program(command, folder, environment=None, limit=1800):
    """Standard output of a command that ran to its end; on one thread unless the environment says otherwise."""
    variables = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "3000", **(environment or {})}
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, env=variables, capture_output=True, text=True,
                              errors="replace", timeout=limit)
    except FileNotFoundError:
        raise Failed(f"{command[0]} is not installed")
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} was stopped after {limit} s")
    if done.returncode != 0:
        raise Failed(f"{command[0]} ended with status {done.returncode}: {last_words(done.stderr, done.stdout)}")
    return done.stdout


def last_words(*texts):
    """The line that says most about a failure."""
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["nothing was said"])[-1][:200]


def read_values(text):
    """Lines of "name value"; other lines are left out."""
    values = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) != 2:
            continue
        try:
            values[words[0]] = float(words[1])
        except ValueError:
            pass
    return values


def read_marks(text, first="begin", last="end"):
    """User CPU and wall seconds between two marks of mark.sh, summed over all processes, and the peak memory."""
    user, system, wall, peak = {}, {}, {}, 0.0
    for line in text.splitlines():
        name, *numbers = line.split()
        if name.endswith("_peak"):
            peak = max(peak, 1024.0 * float(numbers[0]))
            continue
        user[name] = user.get(name, 0.0) + float(numbers[0]) / TICKS
        system[name] = system.get(name, 0.0) + float(numbers[1]) / TICKS
        wall[name] = float(numbers[2])
    if first not in user or last not in user:
        raise Failed(f"the run never came to its mark {first if first not in user else last}")
    return {"cpu_seconds": user[last] - user[first], "system_seconds": system[last] - system[first],
            "wall_seconds": wall[last] - wall[first], "peak_bytes": peak}
