"""What a measured case is."""
from dataclasses import dataclass, field
from typing import Callable

SIZES = ("quick", "default", "full")


@dataclass
class Figure:
    """The number that is compared. of: from one run's values."""
    label: str
    of: Callable
    higher_is_better: bool = True
    digits: int = 4


@dataclass
class Case:
    scene: int
    name: str
    figure: Figure
    runs: dict                # code -> function(shop) -> (values, command); "floc" or "floc, ..." and the peers
    quality: list             # (label, function of the values)
    size: str = "default"     # the least size that has it: quick, default or full
    rounds: int = 3
    slow: dict = field(default_factory=dict)  # code -> fewer rounds, for codes that take minutes
    note: str = ""            # what to know when reading the numbers
    ratio_of: str = "floc"    # the run that ratios are taken to

    def wanted(self, size):
        return SIZES.index(self.size) <= SIZES.index(size)


@dataclass
class Scene:
    number: int
    title: str
    text: str                 # what is the same in all codes, what is not
    cases: Callable           # size -> list of Case
    peers: tuple = ()


def value(key, scale=1.0):
    """A number of a run, None where the run has no such number."""
    return lambda values: values[key] * scale if key in values else None


def particle_steps(values):
    return values["particles"] * values["steps"] / values["cpu_seconds"] * 1e-6


RATE = Figure("million particle-steps per CPU second", particle_steps)
OVERLAPS = [("mean overlap, % of radius", value("mean_overlap", 100)),
            ("greatest, %", value("greatest_overlap", 100))]
CPU = ("user CPU measured, s", value("cpu_seconds"))


class Shared:
    """A run whose results several cases show: each of them gets the same rounds, which are run once."""

    def __init__(self, run):
        self.run, self.results = run, []

    def again(self):
        calls = iter(range(10**6))

        def replay(shop):
            turn = next(calls)
            while len(self.results) <= turn:
                self.results.append(self.run(shop))
            return self.results[turn]
        return replay
