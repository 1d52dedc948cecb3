# SPDX-License-Identifier: Apache-2.0
"""The greeting operator in six patterns, each against pintle dev with kubectl: create, change and remove a greeting.

usage: patterns_test.py BIN_DIR     (KUBECONFIG_OF_CLUSTER names a real cluster to use in place of pintle dev)
"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from programs import BIN, dev_server, greeting, kubectl, wait_until_gone

DEFINITIONS = pathlib.Path(__file__).resolve().parents[1] / "data/cluster_access_crds.json"


class Patterns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.config = self.folder / "kubeconfig"
        given = os.environ.get("KUBECONFIG_OF_CLUSTER")
        if given:
            self.config = pathlib.Path(given)
        else:
            server = dev_server("--kubeconfig", self.config)
            server.__enter__()
            self.addCleanup(server.__exit__, None, None, None)

    def kubectl(self, *arguments, **options):
        return kubectl(self.config, *arguments, **options)

    @contextlib.contextmanager
    def operator(self, program, *arguments):
        with (self.folder / program).open("w") as log:
            process = subprocess.Popen([BIN / program, "--kubeconfig", self.config, *map(str, arguments)], stderr=log)
            try:
                self.kubectl("wait", "--for=condition=Established", "crd/greetings.demo.pintle.dev", "--timeout=20s",
                             patience=20)
                yield
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(20), 0, (self.folder / program).read_text())
            finally:
                process.kill()
                process.wait(20)

    def text_becomes(self, text):
        template = "jsonpath={.data.text}"
        for _ in range(100):
            seen = self.kubectl("get", "configmap", "hello", "-o", template, patience=20)
            if seen == text:
                return
        self.fail(f"the ConfigMap says {seen!r}, not {text!r}")

    def greet_and_part(self):
        self.kubectl("apply", "-f", "-", stdin=greeting("hello", "Ada"), patience=20)
        self.text_becomes("Hello, Ada!")
        self.kubectl("patch", "greeting", "hello", "--type=merge", "-p", '{"spec":{"who":"Grace"}}')
        self.text_becomes("Hello, Grace!")
        self.kubectl("delete", "greeting", "hello", "--timeout=30s")
        wait_until_gone(self.config, "configmap", "hello")

    def run_way(self, way):
        with self.operator(f"greeting-{way}"):
            self.greet_and_part()

    def test_crud(self):
        self.run_way("crud")

    def test_guard(self):
        self.run_way("guard")

    def test_phased(self):
        self.run_way("phased")

    def test_watcher(self):
        self.run_way("watcher")

    def test_external(self):
        self.run_way("external")

    # One server acts as all three clusters, and this test grants access to them.
    def test_service(self):
        definitions = json.loads(DEFINITIONS.read_text())
        for plural, definition in definitions.items():
            self.kubectl("apply", "-f", "-", stdin=json.dumps({
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": f"{plural}.clusters.openmcp.cloud"}, "spec": definition["spec"]}))
            self.kubectl("wait", "--for=condition=Established", f"crd/{plural}.clusters.openmcp.cloud", "--timeout=20s")
        with self.operator("greeting-service", "--platform-kubeconfig", self.config):
            self.kubectl("apply", "-f", "-", patience=20,
                         stdin="apiVersion: demo.pintle.dev/v1\nkind: GreetingConfig\nmetadata: {name: greeting}\n")
            self.kubectl("apply", "-f", "-", stdin=greeting("hello", "Ada"), patience=20)
            home = self.namespace_of_control_plane()
            self.kubectl("apply", "-f", "-", stdin=f"""apiVersion: clusters.openmcp.cloud/v1alpha1
kind: ClusterRequest
metadata: {{name: hello, namespace: {home}}}
spec: {{purpose: mcp}}
""")
            self.grant("clusterrequest", home, "hello", {})
            request = self.first("accessrequests", home)
            self.kubectl("create", "secret", "generic", "access", "-n", home, f"--from-file=kubeconfig={self.config}")
            self.grant("accessrequest", home, request, {"secretRef": {"name": "access"}})
            self.greet_and_part()

    def namespace_of_control_plane(self):
        """Returns the namespace in which the greeting waits for its ClusterRequest, which the test has to create."""
        for _ in range(200):
            said = self.kubectl("get", "greeting", "hello", "-o", "jsonpath={.status.conditions[*].message}")
            if found := re.search(r"mcp--[0-9a-f-]+", said):
                self.kubectl("create", "namespace", found[0])
                return found[0]
        self.fail(f"the greeting does not say where its control plane is, but: {said}")

    def first(self, plural, namespace):
        for _ in range(200):
            names = self.kubectl("get", plural, "-n", namespace, "-o", "jsonpath={.items[*].metadata.name}").split()
            if names:
                return names[0]
        self.fail(f"there are no {plural}")

    def grant(self, kind, namespace, name, more):
        # The option --subresource does not exist in kubectl 1.20.
        for attempt in range(20):
            there = json.loads(self.kubectl("get", kind, name, "-n", namespace, "-o", "json"))
            there["status"] = {**there.get("status", {}), "phase": "Granted", "observedGeneration": 1, **more}
            path = f"/apis/{there['apiVersion']}/namespaces/{namespace}/{kind}s/{name}/status"
            try:
                return self.kubectl("replace", "--raw", path, "-f", "-", stdin=json.dumps(there))
            except AssertionError as error:
                if attempt == 19 or "Conflict" not in str(error) and "modified" not in str(error):
                    raise


if __name__ == "__main__":
    unittest.main(verbosity=2)
