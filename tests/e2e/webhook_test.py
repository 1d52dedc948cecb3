# SPDX-License-Identifier: Apache-2.0
"""The webhook example: the commands of docs/webhooks.md have the output that the page shows.

usage: webhook_test.py BIN_DIR     (KUBECTL names another kubectl than the one on PATH)
"""
import contextlib
import json
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

from programs import BIN, dev_server

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "webhooks.md"
PORT_OF_THE_PAGE = "9443"
CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/proxies.demo.pintle.dev"


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


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


class Session:
    """Runs commands as the shell of a reader, in a folder of its own. Commands that end with & run until close()."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "examples").symlink_to(ROOT / "examples")
        self.environment = {**os.environ, "PATH": f"{folder}:{BIN}:{os.environ['PATH']}"}
        if "KUBECTL" in os.environ:
            (folder / "kubectl").symlink_to(os.environ["KUBECTL"])
        self.running = contextlib.ExitStack()

    def run(self, command):
        if setting := re.fullmatch(r"export (\w+)=(\S+)", command):
            self.environment[setting[1]] = str(self.folder / setting[2])
            return ""
        if command.endswith(" &"):
            self.start(shlex.split(command[:-2]))
            return ""
        return subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60).stdout

    def run_until(self, command, output, seconds=20):
        """Repeats a command until it has this output. Returns its last output."""
        for _ in range(seconds * 10):
            if (seen := self.run(command)) == output:
                break
            threading.Event().wait(0.1)
        return seen

    def start(self, arguments):
        if arguments[:2] == ["pintle", "dev"]:
            place = arguments.index("--kubeconfig") + 1
            arguments[place] = str(self.folder / arguments[place])
            self.running.enter_context(dev_server(*arguments[2:]))
        else:
            self.running.enter_context(self.operator(*arguments))

    @contextlib.contextmanager
    def operator(self, program, *arguments):
        with (self.folder / "log").open("a") as log:
            process = subprocess.Popen([BIN / program, *arguments], cwd=self.folder, env=self.environment, stderr=log)
            try:
                yield
            finally:
                process.send_signal(signal.SIGTERM)
                assert process.wait(20) == 0, self.log()

    def log(self):
        """Returns the log of the operator, if it was started."""
        return (self.folder / "log").read_text() if (self.folder / "log").exists() else ""


class Webhooks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.session = Session(pathlib.Path(folder.name))
        self.addCleanup(self.session.running.close)
        self.commands = commands_of(PAGE.read_text().replace(PORT_OF_THE_PAGE, free_port()))

    def version_of_old(self):
        return self.session.run("kubectl get proxy old -o 'jsonpath={.metadata.resourceVersion}'")

    def crd(self):
        return json.loads(self.session.run(f"kubectl get --raw {CRD}"))

    def stored_versions(self):
        return self.crd()["status"]["storedVersions"]

    def replace_crd(self, path, versions):
        """Sends the CRD with these storedVersions to a path, as each kubectl can do. Returns the new ones."""
        crd = self.crd()
        crd["status"]["storedVersions"] = versions
        (self.session.folder / "crd.json").write_text(json.dumps(crd))
        response = self.session.run(f"kubectl replace --raw {path} -f crd.json")
        self.assertEqual(json.loads(response)["kind"], "CustomResourceDefinition", response)
        return self.stored_versions()

    def check_stored_versions(self):
        """The storedVersions are changed through the status, and not through the CRD. Leaves them unchanged."""
        before = self.stored_versions()
        self.assertEqual(before, ["v1", "v2"])
        self.assertEqual(self.replace_crd(CRD, ["v2"]), before)
        self.assertEqual(self.replace_crd(f"{CRD}/status", ["v2"]), ["v2"])
        self.assertEqual(self.replace_crd(f"{CRD}/status", before), before)

    def remove_stored_version(self, command, output):
        """Runs the command of the page that changes the storedVersions, or replaces it if kubectl is too old."""
        self.check_stored_versions()
        if "--subresource" in self.session.run("kubectl patch --help"):
            self.assertEqual(self.session.run(command), output, f"$ {command}\n{self.session.log()}")
        else:
            print(f"webhook_test: kubectl is older than 1.24, so a PUT by kubectl replace --raw replaces: $ {command}",
                  flush=True)
            self.replace_crd(f"{CRD}/status", ["v2"])
        self.assertEqual(self.stored_versions(), ["v2"])

    def test_the_commands_of_the_page_have_its_output(self):
        versions = []
        is_starting = False
        removals = 0
        for command, output in self.commands:
            if "--subresource" in command:
                self.remove_stored_version(command, output)
                removals += 1
                continue
            is_migration = "xargs" in command
            if is_migration:
                versions.append(self.version_of_old())
            seen = self.session.run_until(command, output) if is_starting else self.session.run(command)
            self.assertEqual(seen, output, f"$ {command}\n{self.session.log()}")
            is_starting = command.endswith("&")
            if is_migration:
                versions.append(self.version_of_old())
                self.session.run(command)
                versions.append(self.version_of_old())
        self.assertEqual(removals, 1)
        before, after_one, after_two = versions
        self.assertNotEqual(before, after_one, "the first write stores the object in v2")
        self.assertEqual(after_one, after_two, "the second write changes nothing")


if __name__ == "__main__":
    unittest.main(verbosity=1)
