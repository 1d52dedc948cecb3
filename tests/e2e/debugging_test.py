# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/debugging.md have the output that the page shows.

usage: debugging_test.py BIN_DIR     (KUBECTL names another kubectl than the one on PATH)
"""
import contextlib
import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

from programs import BIN, dev_server

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "debugging.md"
PORT_OF_THE_PAGE = "8080"


def commands_of(page):
    """Returns the commands in the console blocks, each with the output below it."""
    commands = []
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.M | re.S):
        for line in block.splitlines(keepends=True):
            if line.startswith("$ "):
                commands.append([line[2:].rstrip("\n"), ""])
            else:
                commands[-1][1] += line
    return commands


def is_as_shown(output, shown):
    """The character … in the page stands for any text."""
    return re.fullmatch(".*".join(re.escape(part) for part in shown.rstrip("\n").split("…")), output.rstrip("\n"), re.S)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


def is_ready(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as response:
            return response.status == 200
    except (urllib.error.URLError, ConnectionError):
        return False


class Debugging(unittest.TestCase):
    def setUp(self):
        self.running = contextlib.ExitStack()
        self.addCleanup(self.running.close)
        self.folder = pathlib.Path(self.running.enter_context(tempfile.TemporaryDirectory()))
        self.environment = {**os.environ, "PATH": f"{self.folder}:{BIN}:{os.environ['PATH']}"}
        if "KUBECTL" in os.environ:
            (self.folder / "kubectl").symlink_to(os.environ["KUBECTL"])
        self.port = free_port()

    def run_command(self, command):
        if setting := re.fullmatch(r"export (\w+)=(\S+)", command):
            self.environment[setting[1]] = str(self.folder / setting[2])
        elif command.endswith(" &"):
            self.start(shlex.split(command[:-2]))
        else:
            return subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=60).stdout
        return ""

    def start(self, arguments):
        if arguments[:2] == ["pintle", "dev"]:
            place = arguments.index("--kubeconfig") + 1
            arguments[place] = str(self.folder / arguments[place])
            self.running.enter_context(dev_server(*arguments[2:]))
            return
        log = self.running.enter_context((self.folder / "log").open("w"))
        process = subprocess.Popen(arguments, cwd=self.folder, env=self.environment, stderr=log)
        self.running.callback(self.stop, process)
        self.wait_until(lambda: is_ready(self.port))

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), 0, (self.folder / "log").read_text())

    def wait_until(self, condition):
        for _ in range(300):
            if condition():
                return
            threading.Event().wait(0.1)
        self.fail((self.folder / "log").read_text())

    def test_the_commands_have_the_output_of_the_page(self):
        commands = commands_of(PAGE.read_text().replace(f":{PORT_OF_THE_PAGE}", f":{self.port}"))
        self.assertGreater(len(commands), 10)
        for command, shown in commands:
            with self.subTest(command):
                output = self.run_command(command)
                # The reconcile after a change may not have ended yet; repeating a read is harmless.
                for _ in range(100):
                    if is_as_shown(output, shown) or not command.startswith(("curl -s http", "hello-operator --plan")):
                        break
                    threading.Event().wait(0.1)
                    output = self.run_command(command)
                self.assertTrue(is_as_shown(output, shown), f"{command}\nprinted:\n{output}\nexpected:\n{shown}")

    def test_the_comparison_finds_a_difference(self):
        self.assertTrue(is_as_shown("a 1 b\nc\n", "a … b\nc\n"))
        self.assertFalse(is_as_shown("a 1 b\nd\n", "a … b\nc\n"))
        self.assertFalse(is_as_shown("a (1)\n", "a\n"))


if __name__ == "__main__":
    unittest.main()
