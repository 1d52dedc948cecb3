#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/getting-started.md work, and have the output that the page shows.

  getting_started_test.py --prefix DIR   uses the pintle that is installed in DIR; the packages of the page must be installed
  getting_started_test.py --install      also installs the packages and pintle, as root: for a machine that is thrown away
  getting_started_test.py --packaged     uses the pintle of the Debian packages, without the packages of the page
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from projects import (ROOT, check_chart, check_fetched_sources, check_image_table, compiler_options, run,  # noqa: E402
                      running_image)

PAGE = ROOT / "docs/getting-started.md"
NAME = "greeting-operator"


def commands_of(page):
    """Returns the commands of the page, each with the output below it, or None in blocks that show no output."""
    commands = []
    for language, block in re.findall(r"^```(console|sh)\n(.*?)^```$", page, re.M | re.S):
        for line in block.splitlines(keepends=True):
            if language == "sh":
                commands.append([line.rstrip("\n"), None])
            elif line.startswith("$ "):
                commands.append([line[2:].rstrip("\n"), ""])
            else:
                commands[-1][1] += line
    return commands


class Session:
    """Runs commands as the shell of a reader."""

    def __init__(self, folder, prefix):
        self.folder = folder
        self.environment = {**os.environ, "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count())}
        if prefix:
            self.environment["CMAKE_PREFIX_PATH"] = str(prefix)
            self.environment["PATH"] = f"{prefix / 'bin'}:{os.environ['PATH']}"
        if compiler_options():
            self.environment["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
        if "KUBECTL" in os.environ:
            (folder / "kubectl").symlink_to(os.environ["KUBECTL"])
            self.environment["PATH"] = f"{folder}:{self.environment['PATH']}"
        self.running = []
        self.log = (folder / "log").open("w+")
        self.is_starting = False  # whether the next commands may have to wait for the operator

    def run(self, command, output):
        start = time.monotonic()
        self.execute(command, output)
        seconds = time.monotonic() - start
        if seconds >= 1:
            print(f"new: {seconds:4.0f} s  {command}", flush=True)

    def execute(self, command, output):
        if setting := re.fullmatch(r"export (\w+)=(\S+)", command):
            self.environment[setting[1]] = str(self.folder / setting[2])
        elif command.startswith("cd "):
            self.folder /= command[3:]
        elif command.endswith(" &"):
            self.start(shlex.split(command[:-2]))
        else:
            self.check(command, output)

    def start(self, arguments):
        process = subprocess.Popen(arguments, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                   stderr=self.log, text=True)
        self.running.append(process)
        if arguments[:2] == ["pintle", "dev"]:
            assert process.stdout.readline().startswith("ready "), self.logged()
        self.is_starting = True

    def check(self, command, output):
        attempts = 300 if self.is_starting else 1
        for attempt in range(attempts):
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            if done.returncode == 0 and output in (None, done.stdout):
                self.is_starting = False
                return
            if attempt + 1 < attempts:
                threading.Event().wait(0.1)
        raise AssertionError(f"$ {command}\nexit code {done.returncode}, output:\n{done.stdout}\nexpected:\n{output}\n"
                             f"log:\n{self.logged()}")

    def logged(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text()

    def stop(self):
        for process in reversed(self.running):
            process.terminate()
            assert process.wait(30) == 0, f"{process.args}: exit code {process.returncode}\n{self.logged()}"
            process.stdout.close()
        self.running = []


def packages_in(command):
    return sorted(word for word in command.split("install", 1)[1].split() if not word.startswith("-"))


def check_packages_of_the_image(project, commands):
    """Checks that the Containerfile and the CI file install the packages of the page."""
    wanted = packages_in(next(command for command, _ in commands if command.startswith("apt-get install")))
    for file in ("Containerfile", ".github/workflows/ci.yml"):
        line = next(line for line in (project / file).read_text().splitlines() if "apt-get install" in line)
        assert packages_in(line) == wanted, f"{file} installs {packages_in(line)}, the page {wanted}"


def check_packages(command):
    """Checks that the packages of an apt-get command are installed."""
    run(["dpkg-query", "--show", *packages_in(command)])


def check(folder, prefix, is_install, is_packaged):
    session = Session(folder, prefix)
    commands = commands_of(PAGE.read_text())
    assert len(commands) > 15, commands
    try:
        for command, output in commands:
            if command.startswith("apt-get ") or "--preset package" in command:
                if is_install:
                    run(["bash", "-c", command], cwd=ROOT)
                elif command.startswith("apt-get install") and not is_packaged:
                    check_packages(command)
            elif command.startswith("image/build") and shutil.which("buildah") is None:
                done = subprocess.run(command.split(), cwd=session.folder, capture_output=True, text=True)
                assert done.returncode == 1 and "install the package buildah" in done.stderr, done.stderr
                print("new: skipped: no image is built, because there is no buildah", flush=True)
            elif command.startswith("chroot ") and os.geteuid() != 0:
                print("new: skipped: chroot needs root", flush=True)
            else:
                session.run(command, output)
        session.stop()
        check_chart(session.folder, NAME)
        check_packages_of_the_image(session.folder, commands)
        if not is_packaged:
            check_fetched_sources(session.folder, folder)
            check_image_table(session.folder / "build/image/root", ROOT / "docs/packages.md")
        check_running_image(session.folder, folder, prefix)
    finally:
        for process in session.running:
            process.kill()
            process.wait(20)


def check_running_image(project, folder, prefix):
    program = prefix / "bin/pintle" if prefix else "pintle"
    with running_image(project / "build/image/root", NAME, program, folder) as cluster:
        if cluster is None:
            return
        cluster.wait_for(lambda out: out, "get", "crd/greetings.example.com", "-o", "name")
        cluster.wait_for(lambda out: True, "apply", "-f", project / "sample.yaml")
        cluster.wait_for("Hello from the sample!", *cluster.message("default", "sample"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--prefix", type=pathlib.Path)
    way.add_argument("--install", action="store_true")
    way.add_argument("--packaged", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check(pathlib.Path(folder), arguments.prefix and arguments.prefix.resolve(), arguments.install,
              arguments.packaged)
    print("new: the commands of docs/getting-started.md work")


main()
