# SPDX-License-Identifier: Apache-2.0
"""`pintle simulate` with programs that are simulations and with those that are not.

  simulate_test.py PROGRAMS   PROGRAMS: the folder with pintle and simulated-hello
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = sys.argv.pop(1)
PINTLE = os.path.join(PROGRAMS, "pintle")
HELLO = os.path.join(PROGRAMS, "simulated-hello")


def simulate(*arguments, **options):
    return subprocess.run([PINTLE, "simulate", *arguments], capture_output=True, text=True, timeout=120, **options)


def script(folder, text):
    path = os.path.join(folder, "program")
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


class Simulate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def expect_no_simulation(self, done, how):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"is no simulation: with the argument --simulate, it {how}", done.stderr)
        self.assertIn("Link it with the CMake target pintle::simulated", done.stderr)

    def test_runs_a_simulation(self):
        done = simulate(HELLO, "--seeds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 trials", done.stdout)

    # Two executions have other addresses, which must not change what happens.
    def test_two_executions_have_the_same_trace(self):
        reports = [json.loads(simulate(HELLO, "--seeds", "12", "--json").stdout) for _ in range(2)]
        self.assertNotEqual(reports[0]["traceHash"], "0000000000000000")
        self.assertEqual(reports[0]["traceHash"], reports[1]["traceHash"])
        self.assertEqual(reports[0]["faults"], reports[1]["faults"])

    def test_a_program_that_succeeds_is_no_simulation(self):
        self.expect_no_simulation(simulate("/bin/true"), "ended with exit code 0")

    def test_a_program_that_prints_garbage_is_no_simulation(self):
        program = script(self.folder, "echo simulation: 500 trials, no failure\n")
        self.expect_no_simulation(simulate(program), "ended with exit code 0")

    def test_a_program_that_fails_is_no_simulation(self):
        self.expect_no_simulation(simulate(script(self.folder, "exit 7\n")), "ended with exit code 7")

    def test_a_program_that_is_killed_is_no_simulation(self):
        self.expect_no_simulation(simulate(script(self.folder, "kill -9 $$\n")), "ended with signal 9 (Killed)")

    def test_a_program_that_cannot_be_run_is_named(self):
        done = simulate(os.path.join(self.folder, "missing"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Apintle: cannot run .*/missing: No such file or directory\n\Z")

    def test_a_simulation_that_ends_before_its_report_is_an_error(self):
        told = 'printf "begin\\n" >&"$PINTLE_SIMULATION_PIPE"\n'
        ended = simulate(script(self.folder, told))
        self.assertEqual(ended.returncode, 2)
        self.assertIn("ended with exit code 0 before its report", ended.stderr)
        killed = simulate(script(self.folder, told + "kill -9 $$\n"))
        self.assertEqual(killed.returncode, 137)
        self.assertIn("ended with signal 9 (Killed) before its report", killed.stderr)

    def test_a_signal_ends_it_with_a_report(self):
        done = subprocess.Popen([PINTLE, "simulate", HELLO, "--seeds", "1000000", "--processes", "2", "--json"], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)
        # Until the simulation has blocked the signal, it would end without a report.
        status = f"/proc/{done.pid}/task/{done.pid}/children"
        while not any(self.has_children(child) for child in self.read(status).split()):
            self.assertIsNone(done.poll())
        done.send_signal(signal.SIGINT)
        output, errors = done.communicate(timeout=120)
        self.assertEqual(done.returncode, 130, errors)
        self.assertIn('"interrupted":true', output)

    def has_children(self, process):
        return len(self.read(f"/proc/{process}/task/{process}/children").split()) > 1

    def read(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                return file.read()
        except OSError:
            return ""


if __name__ == "__main__":
    unittest.main()
