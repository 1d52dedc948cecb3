# SPDX-License-Identifier: Apache-2.0
"""Two processes of one operator: only one of them works when one stops, crashes, or pauses and continues.

usage: leader_election_test.py BIN_DIR
"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from programs import BIN, dev_server, kubectl

# Long enough that a process on a busy machine does not lose its lease.
TERMS = ["--leader-elect-lease-duration=4s", "--leader-elect-renew-deadline=2500ms", "--leader-elect-retry-period=250ms"]
HEARTS = "---\n".join(f"apiVersion: demo.pintle.dev/v1\nkind: Heart\nmetadata: {{name: a{i}}}\nspec: {{milliseconds: 1}}\n"
                      for i in range(5))


class LeaderElection(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.config = self.folder / "kubeconfig"

    @contextlib.contextmanager
    def operator(self, identity):
        # A process without its lease must end even if a reconcile still runs, and then it joins no threads.
        environment = {**os.environ, "TSAN_OPTIONS": os.environ.get("TSAN_OPTIONS", "") + ":report_thread_leaks=0"}
        with (self.folder / identity).open("w") as log:
            process = subprocess.Popen([BIN / "leader-operator", "--kubeconfig", self.config, "--log-format=json",
                                        "--leader-elect-identity", identity, *TERMS], stderr=log, env=environment)
            try:
                yield process
            finally:
                process.kill()
                process.wait(20)

    def log(self, identity):
        return (self.folder / identity).read_text()

    def lease(self):
        done = subprocess.run(["kubectl", "--kubeconfig", self.config, "get", "lease", "leader-operator", "-o", "json"],
                              capture_output=True, text=True)
        return json.loads(done.stdout)["spec"] if done.returncode == 0 else {}

    def wait_for(self, what, limit=10):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if got := what():
                return got
            threading.Event().wait(0.02)
        raise AssertionError("\n".join(path.read_text() for path in self.folder.iterdir() if path != self.config))

    def holder(self):
        return self.lease().get("holderIdentity")

    def version(self):
        """Returns the version of the object after the last write of the operator, which writes continuously."""
        return kubectl(self.config, "get", "configmap", "a0", "-o", "jsonpath={.metadata.resourceVersion}", patience=20)

    def wait_for_a_beat(self):
        before = self.version()
        self.wait_for(lambda: self.version() != before)

    def settled_versions(self):
        """Returns the versions of all objects, by name, after the writes that were in progress at a stop have arrived."""
        def read():
            threading.Event().wait(0.3)
            items = json.loads(kubectl(self.config, "get", "configmaps", "-o", "json"))["items"]
            return {item["metadata"]["name"]: item["metadata"]["resourceVersion"] for item in items}
        versions = read()
        while (later := read()) != versions:
            versions = later
        return versions

    def start_two(self, stack):
        stack.enter_context(dev_server("--kubeconfig", self.config))
        first = stack.enter_context(self.operator("first"))
        self.wait_for(lambda: self.holder() == "first")
        second = stack.enter_context(self.operator("second"))
        self.wait_for(lambda: "standing by" in self.log("second"))
        kubectl(self.config, "apply", "-f", "-", stdin=HEARTS, patience=20)
        self.wait_for_a_beat()
        return first, second

    def test_a_leader_that_stood_still_ends_and_writes_nothing(self):
        with contextlib.ExitStack() as stack:
            first, second = self.start_two(stack)
            first.send_signal(signal.SIGSTOP)  # usually in the middle of a write
            self.wait_for(lambda: self.holder() == "second")
            self.wait_for_a_beat()
            transitions = self.lease()["leaseTransitions"]
            second.send_signal(signal.SIGSTOP)  # from now on only the first process can write
            versions = self.settled_versions()

            first.send_signal(signal.SIGCONT)

            self.assertEqual(first.wait(20), 4, self.log("first"))
            self.assertIn("lease lost", self.log("first"))
            later = self.settled_versions()
            late = {name for name in later if later[name] != versions.get(name)}
            # A process that was paused after its last check of the clock still sends the request that follows this check.
            still_run = re.search("^leader-operator: these functions ignore.*$", self.log("first"), re.MULTILINE)
            being_sent = set(re.findall(r"heart of default/(\w+)", still_run[0] if still_run else ""))
            # A request that is partly sent cannot be recalled; its reconcile may end before the process does.
            being_sent |= set(re.findall(r'"key":"default/(\w+)","error":"[^"]*no complete response', self.log("first")))
            self.assertLessEqual(late, being_sent, "the one that lost its lease wrote:\n" + self.log("first"))
            self.assertEqual((self.holder(), self.lease()["leaseTransitions"]), ("second", transitions))

    def test_a_leader_that_stops_hands_over_at_once(self):
        with contextlib.ExitStack() as stack:
            first, second = self.start_two(stack)
            first.send_signal(signal.SIGTERM)
            self.assertEqual(first.wait(20), 0, self.log("first"))
            begun = time.monotonic()
            self.wait_for(lambda: self.holder() == "second")
            self.assertLess(time.monotonic() - begun, 2.5, "a lease of 4 s would not have ended by itself")
            self.wait_for_a_beat()
            second.send_signal(signal.SIGTERM)
            self.assertEqual(second.wait(20), 0, self.log("second"))
            self.assertEqual(self.holder(), "")

    def test_a_leader_that_is_killed_is_followed(self):
        with contextlib.ExitStack() as stack:
            first, _ = self.start_two(stack)
            first.kill()
            self.wait_for(lambda: self.holder() == "second")
            self.wait_for_a_beat()

    def test_durations_that_cannot_be_safe_are_a_usage_error(self):
        done = subprocess.run([BIN / "leader-operator", "--leader-elect-lease-duration=1s"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("lease_duration 1s must be more than renew_deadline 10s", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
