"""What run.sh was asked for. Every wrong option is refused by name, with what is allowed."""
import difflib
from dataclasses import dataclass, field

ALL_SCENES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)

HELP = """\
./benchmarks/run.sh [options]     measures floc beside its peers and writes benchmarks/results/<machine>.md

  --scenes=1,3     only these scenes (1 to 10; the others keep what the machine's last table says)
  --quick          one round, small sizes: does everything run?
  --full           all sizes and all steps; an hour or more
  --rounds=N       rounds, floc and peers in turn; default 3
  --peers=A,B      only these codes beside floc (lammps, liggghts, yade, box2d, embree); none: --peers=
  --compare        floc only, against the machine's committed table; status 1 if something became slower
  --note=TEXT      goes under each block that is measured now, such as what else the machine was doing
  --output=FOLDER  where the table goes; default benchmarks/results
  --help
"""

PEERS = ("lammps", "liggghts", "yade", "box2d", "embree")


class WrongOption(Exception):
    pass


@dataclass
class Options:
    scenes: tuple = ALL_SCENES
    size: str = "default"  # quick, default, full
    rounds: int = 0        # 0: as the size has it
    peers: tuple = PEERS
    compare: bool = False
    note: str = ""
    output: str = ""
    help: bool = False
    chosen: set = field(default_factory=set)

    def rounds_of(self, case):
        if self.rounds:
            return self.rounds
        return 1 if self.size == "quick" else case.rounds


def parse_scenes(text):
    scenes = []
    for word in text.split(","):
        if not word.isdigit() or int(word) not in ALL_SCENES:
            raise WrongOption(f'--scenes: "{word}" is not a scene; scenes are 1 to 10, as in --scenes=1,3')
        scenes.append(int(word))
    return tuple(sorted(set(scenes)))


def parse_peers(text):
    peers = tuple(word for word in text.split(",") if word)
    for word in peers:
        if word not in PEERS:
            raise WrongOption(f'--peers: "{word}" is not a peer; peers are {", ".join(PEERS)}')
    return peers


def parse_rounds(text):
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise WrongOption(f'--rounds is "{text}"; it must be an integer from 1 to 100')
    return int(text)


def parse_options(words):
    found = Options()
    values = {"scenes": parse_scenes, "peers": parse_peers, "rounds": parse_rounds, "note": str, "output": str}
    flags = ("quick", "full", "compare", "help")
    for word in words:
        name, equals, value = word[2:].partition("=")
        if not word.startswith("--"):
            raise WrongOption(f'"{word}" is not an option; options begin with --')
        if name in found.chosen:
            raise WrongOption(f"--{name} is given twice")
        found.chosen.add(name)
        if name in values:
            if not equals:
                raise WrongOption(f"--{name} needs a value: --{name}=...")
            setattr(found, name, values[name](value))
        elif name in flags:
            if equals:
                raise WrongOption(f"--{name} takes no value")
            if name in ("quick", "full"):
                found.size = name
            else:
                setattr(found, name, True)
        else:
            near = difflib.get_close_matches(name, [*values, *flags], 1)
            raise WrongOption(f"there is no option --{name}" + (f"; did you mean --{near[0]}?" if near else ""))
    if {"quick", "full"} <= found.chosen:
        raise WrongOption("--quick and --full exclude each other")
    if found.compare:
        found.peers = ()
    return found
