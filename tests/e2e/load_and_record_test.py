# SPDX-License-Identifier: Apache-2.0
"""pintle dev --load and --record, and pintle record: manifests at the start, and sessions that become tests.

usage: load_and_record_test.py BIN_DIR
"""
import json
import pathlib
import ssl
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from programs import BIN, dev_server, kubectl, serving

REPLAY = pathlib.Path(__file__).resolve().parents[1] / "data" / "conformance" / "replay.py"

WIDGETS = """
apiVersion: v1
kind: List
items:
- apiVersion: demo.dev/v1
  kind: Widget
  metadata: {name: one}
  spec: {size: 1}
- {apiVersion: demo.dev/v1, kind: Widget, metadata: {name: two, namespace: shop}}
"""
DEFINITION = """
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.demo.dev}
spec:
  group: demo.dev
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
---
"""


class LoadAndRecord(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.config = self.folder / "kubeconfig"
        self.manifests = self.folder / "manifests"
        self.manifests.mkdir()

    def write(self, name, text):
        (self.manifests / name).write_text(text)

    def fill(self):
        self.write("a.yaml", WIDGETS)  # before the definition of its kind
        self.write("b.yml", DEFINITION)
        self.write("c.json", json.dumps({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
                                         "metadata": {"name": "r"}, "rules": []}))
        self.write("README.md", "no manifest")

    def test_manifests_are_applied_before_the_server_is_ready(self):
        self.fill()
        with dev_server("--load", self.manifests, "--kubeconfig", self.config, "--max-requests-per-second", 3):
            self.assertEqual(kubectl(self.config, "get", "widgets", "-A", "-o", "name", patience=5).split(),
                             ["widget.demo.dev/one", "widget.demo.dev/two"])
            kubectl(self.config, "get", "clusterrole", "r", patience=5)

    def test_a_folder_is_applied_again_to_a_data_file(self):
        self.fill()
        arguments = ("--load", self.manifests, "--data", self.folder / "data", "--kubeconfig", self.config, "--tls",
                     "--token", "t")
        with dev_server(*arguments):
            kubectl(self.config, "patch", "widget", "one", "--type=merge", "-p", '{"spec":{"size":5}}')
            kubectl(self.config, "delete", "widget", "two", "-n", "shop")
            kubectl(self.config, "create", "configmap", "kept")
        with dev_server(*arguments):
            self.assertEqual(kubectl(self.config, "get", "widget", "one", "-o", "jsonpath={.spec.size}"), "1")
            kubectl(self.config, "get", "widget", "two", "-n", "shop")
            kubectl(self.config, "get", "configmap", "kept")

    def test_every_mistake_in_the_manifests_has_a_line(self):
        self.write("a.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: UPPER}}\n")
        self.write("b.yaml", "{apiVersion: no.dev/v1, kind: None, metadata: {name: x}}\n---\n{kind: Pod}\n")
        self.write("c.yaml", "a: [\n")
        done = subprocess.run([BIN / "pintle", "dev", "--load", self.manifests], capture_output=True, text=True,
                              timeout=20)
        self.assertEqual(done.returncode, 1)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 4, lines)
        for line, wanted in zip(lines, ("c.yaml: ", "a.yaml: ConfigMap UPPER: ConfigMap \"UPPER\" is invalid",
                                        "b.yaml: no.dev/v1 None: the server has no such kind",
                                        "b.yaml: an object has no apiVersion, kind or metadata.name")):
            self.assertTrue(line.startswith(f"pintle dev: --load: {self.manifests}/{wanted}"), line)

    def test_a_recorded_session_passes_on_another_server(self):
        self.fill()
        recording = self.folder / "session.json"
        with dev_server("--load", self.manifests, "--kubeconfig", self.config, "--record", recording):
            kubectl(self.config, "create", "deployment", "web", "--image=nginx")
            kubectl(self.config, "scale", "deployment", "web", "--replicas=3")
            kubectl(self.config, "get", "pods,deployments,widgets")
            kubectl(self.config, "apply", "--server-side", "-f", "-",
                    stdin="apiVersion: demo.dev/v1\nkind: Widget\nmetadata: {name: three}\nspec: {size: 3}\n")
            kubectl(self.config, "delete", "widget", "three")
            kubectl(self.config, "delete", "configmap", "none", expect=1)
        steps = json.loads(recording.read_text())["steps"]
        self.assertGreaterEqual({step["method"] for step in steps if "method" in step}, {"POST", "PATCH", "DELETE"})
        self.assertEqual(self.replay(recording, "--load", self.manifests), "ok   session\n1 passed, 0 failed\n")

    def test_a_session_with_a_cluster_is_recorded(self):
        self.fill()
        recording = self.folder / "session.json"
        front = self.folder / "recorder.yaml"
        with dev_server("--load", self.manifests, "--kubeconfig", self.config, "--tls", "--token", "of-the-cluster"):
            with serving("record", "--kubeconfig", self.config, "--write-kubeconfig", front, "--out", recording) as url:
                kubectl(front, "create", "deployment", "web", "--image=nginx")
                events = kubectl(front, "get", "--raw", "/apis/demo.dev/v1/namespaces/default/widgets"
                                 "?watch=true&resourceVersion=0&timeoutSeconds=1")
                self.assertIn('"ADDED"', events)
                kubectl(front, "scale", "deployment", "web", "--replicas=3")
                kubectl(front, "apply", "--server-side", "-f", "-",
                        stdin="apiVersion: demo.dev/v1\nkind: Widget\nmetadata: {name: three}\nspec: {size: 3}\n")
                kubectl(front, "delete", "configmap", "none", expect=1)
                context = ssl._create_unverified_context()
                with self.assertRaises(urllib.error.HTTPError) as refused:  # other programs have no token
                    urllib.request.urlopen(url + "/api/v1/secrets", timeout=10, context=context)
                self.assertEqual(refused.exception.code, 401)
                refused.exception.close()
            kubectl(self.config, "get", "widget", "three")
        text = recording.read_text()
        self.assertNotIn("of-the-cluster", text)
        steps = json.loads(text)["steps"]
        self.assertGreaterEqual({step["method"] for step in steps if "method" in step}, {"POST", "PATCH", "DELETE"})
        self.assertTrue(any("events" in step for step in steps), "no watch is recorded")
        self.assertEqual(self.replay(recording, "--load", self.manifests), "ok   session\n1 passed, 0 failed\n")

    def replay(self, recording, *arguments):
        with dev_server(*arguments) as url:
            return subprocess.run([sys.executable, REPLAY, "--server", url, recording], capture_output=True, text=True,
                                  timeout=60).stdout


if __name__ == "__main__":
    unittest.main()
