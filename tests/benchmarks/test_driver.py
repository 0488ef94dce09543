"""The driver of benchmarks/run.sh without any peer: options, reading of recorded outputs, table, comparison.

  python3 tests/benchmarks/test_driver.py
"""
import copy
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
RECORDED = Path(__file__).resolve().parent / "recorded"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "benchmarks" / "driver"))

import main
import performance
import results
import scene_funnel
import scene_own
import states
from cases import OVERLAPS, RATE, Case, Scene, Shared
from options import PEERS, WrongOption, parse_options
from process import Failed, read_marks, read_values, run_program
from scenes import TABLE, cases_of


def recorded(name):
    return (RECORDED / name).read_text()


class OptionsTest(unittest.TestCase):
    def test_defaults(self):
        found = parse_options([])
        self.assertEqual((found.scenes, found.size, found.peers), ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), "default", PEERS))

    def test_values(self):
        found = parse_options(["--scenes=3,1", "--quick", "--peers=lammps", "--rounds=5", "--note=busy = yes"])
        self.assertEqual((found.scenes, found.size, found.peers, found.rounds, found.note), ((1, 3), "quick", ("lammps",), 5, "busy = yes"))
        self.assertEqual(parse_options(["--peers="]).peers, ())

    def test_compare_runs_no_peer(self):
        self.assertEqual(parse_options(["--compare"]).peers, ())

    def test_refusals(self):
        for words, said in ((["--scenes=12"], "12"), (["--scenes="], "1 to 10"), (["--scenes"], "needs a value"), (["--sceens=1"], "--scenes"),
                            (["--peers=gromacs"], "gromacs"), (["--rounds=0"], "1 to 100"), (["--rounds=many"], "many"), (["--quick=1"], "no value"),
                            (["--quick", "--full"], "exclude"), (["--quick", "--quick"], "twice"), (["1"], "begin with --")):
            with self.assertRaises(WrongOption) as refused:
                parse_options(words)
            self.assertIn(said, str(refused.exception))

    def test_command(self):
        """From outside: status 2, one line on standard error, nothing installed or built."""
        done = subprocess.run([SOURCE / "benchmarks/run.sh", "--sceens=1"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "run.sh: there is no option --sceens; did you mean --scenes?\n"))
        done = subprocess.run([SOURCE / "benchmarks/run.sh", "--help"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("--compare", done.stdout)


class ReadingTest(unittest.TestCase):
    def test_marks(self):
        found = read_marks(recorded("liggghts.marks"))
        self.assertAlmostEqual(found["cpu_seconds"], 1.94)
        self.assertAlmostEqual(found["wall_seconds"], 7.16, places=5)
        self.assertEqual(found["peak_bytes"], 49052 * 1024)

    def test_marks_of_two_processes_are_added(self):
        found = read_marks("begin 1 0 5.0\nbegin 2 0 5.0\nend 101 0 6.0\nend 102 0 6.0\n")
        self.assertAlmostEqual(found["cpu_seconds"], 2.0)

    def test_a_run_that_stopped_early(self):
        with self.assertRaises(Failed) as failed:
            read_marks("begin 23 2 1795200594.368\n")
        self.assertIn("end", str(failed.exception))

    def test_values_among_prose(self):
        found = read_values(recorded("yade.txt"))
        self.assertEqual(found, {"cpu_seconds": 2.571567, "wall_seconds": 8.838121, "peak_bytes": 266723328, "stiffness_found": 199999.99999999997})

    def test_prose_of_the_step(self):
        class Shop:
            def run(self, *words):
                return recorded("step_benchmark.txt"), "step_benchmark"
        values, _ = scene_own.step_run(3, 10000, 50, 20)(Shop())
        self.assertEqual((values["us"], values["contacts"], values["residual"], values["stage.solve"]), (6.349, 26207, 0.95, 92))
        self.assertEqual((values["lists"], values["entries"]), (0.35, 9.15))

    def test_states(self):
        with tempfile.TemporaryDirectory() as folder:
            end = states.state_from_rows(RECORDED / "two.state", RECORDED / "lammps.dump", Path(folder) / "end.state")
            header, rows = states.read_state(end)
            self.assertEqual((header["count"], header["upper"], rows[1][:4]), (2, [4, 4, 4], ["1.49", "1", "1", "0.1"]))
            data = states.write_lammps_data(RECORDED / "two.state", Path(folder) / "two.data").read_text()
        self.assertIn("2 atoms", data)
        self.assertIn("0.0 4.0 xlo xhi", data)
        self.assertIn("1 1 1.0 1.909859", data)  # diameter, density of mass 1

    def test_a_cut_state(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = Path(folder) / "cut.state"
            cut.write_text(recorded("two.state").rsplit("\n", 2)[0] + "\n")
            with self.assertRaisesRegex(ValueError, "1 of 2"):
                states.read_state(cut)

    def test_programs_that_fail(self):
        with self.assertRaisesRegex(Failed, "not installed"):
            run_program(["no-such-peer"], ".")
        with self.assertRaisesRegex(Failed, "status 3: ERROR: bad"):
            run_program(["sh", "-c", "echo working; echo 'ERROR: bad' >&2; exit 3"], ".")
        with self.assertRaisesRegex(Failed, "stopped after"):
            run_program(["sleep", "5"], ".", limit=0.2)


class SceneTest(unittest.TestCase):
    def test_the_table_of_scenes(self):
        self.assertEqual([scene.number for scene in TABLE], list(range(1, 11)))
        for scene in TABLE:
            for size in ("quick", "default", "full"):
                for case in cases_of(scene, size):
                    self.assertEqual(case.scene, scene.number)
                    self.assertIn(case.ratio_of, case.runs)
                    self.assertTrue(case.quality, case.name)
                    for name in case.runs:
                        self.assertIn(results.code_of(name), ("floc", *scene.peers), case.name)

    def test_scene_files_are_there(self):
        for name in ("dense_packing/in.lammps", "dense_packing/in.liggghts", "dense_packing/yade.py", "funnel/in.lammps", "funnel/in.liggghts",
                     "funnel/yade.py", "checkpoint/in.lammps", "checkpoint/in.liggghts", "pile/box2d_pile.cpp", "rays/embree_rays.c"):
            self.assertTrue((SOURCE / "benchmarks/scenes" / name).exists(), name)

    def test_the_wheel(self):
        plates = scene_funnel.wheel_plates({"x": 1.0, "y": 2.0, "radius": 0.5, "paddles": 2.0, "speed": 0.0}, 3.0)
        self.assertAlmostEqual(plates[0][2], 1.5)
        self.assertAlmostEqual(plates[1][2], 0.5)

    def test_shared_runs_happen_once_per_round(self):
        calls = []
        shared = Shared(lambda shop: calls.append(1) or len(calls))
        first, second = shared.again(), shared.again()
        self.assertEqual([first(None), first(None), second(None), second(None)], [1, 2, 1, 2])


def small_case(floc, peer):
    return Case(1, "two spheres", RATE, {"floc": floc, "lammps": peer}, OVERLAPS)


def speed(seconds):
    return lambda shop: ({"particles": 2, "steps": 1000000, "cpu_seconds": seconds, "mean_overlap": 0.01, "greatest_overlap": 0.02}, "soft_grains_benchmark")


def broken(shop):
    raise Failed("lmp is not installed")


def make_record(*seconds, peer=speed(2.0)):
    runs = iter(seconds)
    entry = main.measure_case(None, small_case(lambda shop: speed(next(runs))(shop), peer), parse_options([f"--rounds={len(seconds)}"]))
    return {"machine": "small", "command": "./benchmarks/run.sh", "description": [("processor", "small")], "entries": [entry]}


class TableTest(unittest.TestCase):
    def setUp(self):
        self.print, main.print = print, lambda *words, **more: None

    def tearDown(self):
        del main.print

    def text(self, record):
        return results.table_text(json.loads(json.dumps(record)), [Scene(1, "Packing", "text", None)])

    def test_medians_ratio_quality_and_command(self):
        text = self.text(make_record(1.0, 0.5, 0.8))
        self.assertIn("| floc | 2.5 | 2 to 4 | 3 |  | 1 | 2 |", text)
        self.assertIn("| lammps | 1 | 1 to 1 | 3 | 2.50 | 1 | 2 |", text)
        self.assertIn("```sh\nsoft_grains_benchmark\n```", text)

    def test_a_failure_is_told(self):
        text = self.text(make_record(1.0, 1.0, peer=broken))
        self.assertIn("**lammps: not measured**: lmp is not installed", text)
        self.assertIn("| floc | 2 |", text)

    def test_each_block_says_when_and_what_else_ran(self):
        entry = main.measure_case(None, small_case(speed(1.0), speed(2.0)), parse_options(["--quick", "--note=busy"]))
        self.assertRegex("\n".join(results.case_text(entry)), r"Measured 20\d\d-\d\d-\d\d \d\d:\d\d, load before it [\d.]+\. \*\*busy\*\*")

    def test_other_scenes_stay(self):
        old = {"entries": [{"scene": 1, "case": "old"}, {"scene": 3, "case": "kept"}]}
        self.assertEqual([e["case"] for e in main.merge(old, [{"scene": 1, "case": "new"}], {1})], ["new", "kept"])

    def test_comparison(self):
        before = make_record(1.0, 1.02, 0.99)
        for seconds, word, slower in ((1.01, "as before", 0), (1.3, "SLOWER", 1), (0.7, "faster", 0)):
            lines, count = results.compare_entries(before, make_record(seconds, seconds, seconds))
            self.assertEqual(count, slower)
            self.assertIn(word, lines[0])

    def test_a_wide_spread_widens_the_band(self):
        before, now = make_record(1.0, 1.4, 0.7), make_record(1.2, 1.2, 1.2)
        self.assertEqual(results.compare_entries(before, now)[1], 0)

    def test_few_rounds_widen_the_band(self):
        self.assertAlmostEqual(results.band([1.0], [1.0, 1.0, 1.0]), 0.10)
        self.assertAlmostEqual(results.band([1.0] * 3, [1.0] * 3), 0.03)

    def test_lower_is_better(self):
        before, now = make_record(1.0, 1.0), make_record(1.0, 1.0)
        for record, figure in ((before, 10.0), (now, 13.0)):
            record["entries"][0].update(higher_is_better=False)
            record["entries"][0]["codes"]["floc"]["figures"] = [figure, figure]
        del now["entries"][0]["codes"]["lammps"], before["entries"][0]["codes"]["lammps"]
        self.assertEqual(results.compare_entries(before, now)[1], 1)
        self.assertEqual(results.compare_entries(now, before)[1], 0)

    def test_a_run_that_fails_now_counts_as_slower(self):
        before, now = make_record(1.0, 1.0), make_record(1.0, 1.0)
        del now["entries"][0]["codes"]["lammps"]
        results.note_failure(now["entries"][0], "floc", "status 1")
        lines, slower = results.compare_entries(before, now)
        self.assertEqual(slower, 1)
        self.assertIn("status 1", lines[0])

    def test_memory(self):
        record = make_record(1.0)
        more = copy.deepcopy(record["entries"][0])
        for entry, count, peak in ((record["entries"][0], 2, 1000), (more, 102, 61000)):
            for code in entry["codes"].values():
                code["values"] = [{"particles": count, "peak_bytes": peak}]
        self.assertIn("| floc | 600 |", "\n".join(results.memory_lines([record["entries"][0], more])))

    def test_the_page(self):
        record = make_record(1.0)
        code = record["entries"][0]["codes"]["floc"]
        record["entries"][0]["case"] = "32,000 spheres"
        code["values"] = [{"particles": 32000, "steps": 100, "cpu_seconds": 0.32, "contacts": 96000, "stage.contacts": 80.0, "stage.neighbors": 20.0}]
        record["entries"].append({"scene": 9, "case": "memory bandwidth (STREAM triad)", "codes": {"floc, 1 thread": {"figures": [10.0]}}})
        page = performance.fill(f"head\n{performance.BEGIN}\nold\n{performance.END}\ntail\n", record)
        self.assertTrue(page.startswith("head\n") and page.endswith("tail\n") and "old" not in page)
        self.assertIn("takes 100 ns", page)
        self.assertIn("contacts 80 %, neighbors 20 %", page)
        self.assertIn("| 1 thread | 10.0 |", page)
        record["entries"].append({"scene": 4, "case": "step, 2-D, 100,000", "codes": {"floc": {"figures": [0.3], "values": [
            {"us": 0.3, "contacts": 1e5, "iterations": 10.0, "entries": 4.0, "lists": 0.25, "stage.solve": 50.0}]}}})
        page = performance.fill(page, record)
        # 128 + 48 + 96 + 0.25 (400 + 56 * 4) + 92 + 32 + 128 + 32 + 32 + 68 + 88 + 72 + 32 + 16 + 72 outside of the solve
        self.assertIn("Outside the solve: 1092 bytes, 109 ns at that bandwidth, 150 ns measured: **1.4 times**", page)
        self.assertIn("would move 352 bytes; the factor to that limit is **4.3**", page)
        with self.assertRaises(ValueError):
            performance.fill("no marks", record)

    def test_the_committed_page_has_its_marks(self):
        page = (SOURCE / "docs/performance.md").read_text()
        self.assertIn("# Performance", performance.fill(page, make_record(1.0)))


if __name__ == "__main__":
    unittest.main()
