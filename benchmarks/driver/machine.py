"""The machine, the compilers and the versions of everything that is measured."""
import datetime
import platform
import re
import shutil
import subprocess


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def processor():
    """Model and cores, from lscpu."""
    fields = dict(line.split(":", 1) for line in output_of("lscpu").splitlines() if ":" in line)
    text = lambda name: fields.get(name, "").strip()
    return {"model": text("Model name") or platform.machine(), "family": text("CPU family"), "number": text("Model"),
            "cores": text("CPU(s)"), "caches": ", ".join(f"{c} {text(c)}" for c in ("L1d cache", "L2 cache", "L3 cache"))}


def machine_name():
    """For the table's file name: model and cores."""
    found = processor()
    words = re.sub(r"\((R|TM)\)", "", found["model"]).lower()
    words = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
    return f"{words}-model-{found['number']}-{found['cores']}-cores"


def package_version(name):
    return output_of("dpkg-query", "-W", "-f=${Version}", name) or "not installed"


def describe(peers):
    found = processor()
    lines = [("processor", f"{found['model']}, family {found['family']} model {found['number']}, {found['cores']} cores"),
             ("caches", found["caches"]),
             ("system", f"{platform.system()} {platform.release()}"),
             ("compiler of floc and of the C peers' programs", output_of("cc", "--version").split("\n")[0] + ", -O3"),
             ("table written", datetime.date.today().isoformat())]
    package = {"lammps": "lammps", "liggghts": "liggghts", "yade": "yade", "box2d": "libbox2d-dev", "embree": "libembree-dev"}
    lines += [(f"{peer}, Debian's package {package[peer]}", package_version(package[peer])) for peer in peers]
    return lines


def moment():
    """When, and how busy the machine was: what the numbers of a case are worth."""
    now = datetime.datetime.now().strftime("%Y-%m-%d %H:%M")
    return f"Measured {now}, load before it {open('/proc/loadavg').read().split()[0]}."


def has_command(name):
    return shutil.which(name) is not None
