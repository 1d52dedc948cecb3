# SPDX-License-Identifier: Apache-2.0
"""`pintle doctor` against `pintle dev` with hello-operator: its output, its exit codes, and the commands that it prints.

usage: doctor_test.py BIN_DIR     (KUBECTL names another kubectl than the one on PATH)
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from programs import BIN, dev_server, kubectl

FAST = ["--watch-for", "1s"]


class Doctor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.config = str(pathlib.Path(folder.name) / "dev.yaml")
        server = dev_server("--listen", "127.0.0.1:0", "--tls", "--kubeconfig", self.config)
        server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        self.environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "KUBECONFIG": self.config}

    def doctor(self, *arguments, expect):
        done = subprocess.run([BIN / "pintle", "doctor", *arguments], capture_output=True, text=True, timeout=60,
                              env=self.environment)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stderr if expect == 2 else done.stdout

    def lines(self, *arguments, expect):
        """Returns the lines of the JSON output by their check."""
        printed = json.loads(self.doctor("--format", "json", *FAST, "--", "hello-operator", *arguments, expect=expect))
        self.assertEqual(printed["exitCode"], expect)
        by_check = {}
        for line in printed["lines"]:
            by_check.setdefault(line["check"], []).append(line)
        for state, count in printed["summary"].items():
            self.assertEqual(count, sum(line["state"] == state for line in printed["lines"]), state)
        return by_check

    def print_to_cluster(self, flag, *arguments):
        printed = subprocess.run([BIN / "hello-operator", flag, *arguments], capture_output=True, text=True, check=True)
        kubectl(self.config, "apply", "-f", "-", stdin=printed.stdout)

    def test_a_healthy_cluster(self):
        self.print_to_cluster("--print-crds")
        text = self.doctor(*FAST, "--", "hello-operator", expect=0)
        for part in ["ok    server       https://127.0.0.1:", "responds\n", "ok    version      Kubernetes v1.",
                     "ok    clock ", "ok    crds         CRD greetings.demo.pintle.dev: is served",
                     "ok    roles        user of the kubeconfig", "ok    webhooks ", "ok    finalizers ", "ok    ready ",
                     "ok    hot-keys ", "ok    leases ", "ok    api-services ", " 0 fail, "]:
            self.assertIn(part, text)
        self.assertNotIn("\nfail", text)

    def test_the_command_for_a_missing_crd_installs_it(self):
        crds = self.lines(expect=1)["crds"]
        self.assertEqual([(line["state"], line["subject"], line["detail"]) for line in crds],
                         [("fail", "CRD greetings.demo.pintle.dev", "is not installed")])
        subprocess.run(["bash", "-c", "set -o pipefail; " + crds[0]["action"]], env=self.environment, check=True,
                       capture_output=True)
        kubectl(self.config, "wait", "--for=condition=Established", "crd/greetings.demo.pintle.dev")
        self.assertEqual(self.lines(expect=0)["crds"][0]["state"], "ok")

    def test_an_operator_without_pods_and_without_a_binding(self):
        self.print_to_cluster("--print-deploy", "--deploy-namespace", "greetings")
        kubectl(self.config, "wait", "--for=condition=Established", "crd/greetings.demo.pintle.dev")
        lines = self.lines(expect=1)
        self.assertEqual(lines["operator"][0]["detail"], "has 0 of 1 Pods")  # pintle dev runs no Pods
        self.assertEqual([line["state"] for line in lines["roles"]], ["ok"], lines["roles"])
        self.assertIn("ServiceAccount greetings/hello-operator", lines["roles"][0]["subject"])

        kubectl(self.config, "delete", "clusterrolebinding", "hello-operator")
        lacking = self.lines(expect=1)["roles"]
        self.assertEqual({line["state"] for line in lacking}, {"fail"})
        subprocess.run(["bash", "-c", lacking[0]["action"]], env=self.environment, check=True, capture_output=True)
        self.assertEqual([line["state"] for line in self.lines(expect=1)["roles"]], ["ok"])

    def test_a_server_that_does_not_run(self):
        config = pathlib.Path(self.config)
        text = config.read_text()
        address = next(word for word in text.split() if "https://" in word).strip('"')
        config.write_text(text.replace(address, "https://127.0.0.1:1"))
        text = self.doctor(expect=1)
        self.assertTrue(text.startswith("fail  server       https://127.0.0.1:1"), text)
        self.assertIn("cannot be reached", text)
        self.assertIn("\n\n0 ok, 0 warn, 1 fail, 0 skip\n", text)

    def test_bad_usage(self):
        for arguments, part in [(["--kubeconfig", "/missing"], "/missing"),
                                (["--context", "missing"], "missing"),
                                (["--format", "xml"], "xml"),
                                (["--stuck-after", "soon"], "soon"),
                                (["--wrong"], "--wrong"),
                                (["--", "missing-program"], "missing-program"),
                                (["--", "true"], "true"),
                                (["--", "hello-operator", "--wrong"], "--wrong")]:
            self.assertIn(part, self.doctor(*arguments, expect=2))

    def test_the_man_page_has_the_command(self):
        page = subprocess.run([BIN / "pintle", "man"], capture_output=True, text=True, check=True).stdout
        for part in ["doctor", "stuck\\-after", "watch\\-for"]:
            self.assertIn(part, page)


if __name__ == "__main__":
    unittest.main(verbosity=1)
