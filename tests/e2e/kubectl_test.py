# SPDX-License-Identifier: Apache-2.0
"""kubectl against pintle dev while the hello operator runs: the everyday commands of a user.

usage: kubectl_test.py BIN_DIR     (KUBECTL names another kubectl than the one on PATH)
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from programs import BIN, dev_server, greeting, kubectl, wait_until_gone

REPLICA_SET = """apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: rs, labels: {team: demo}}
spec:
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
"""


class Kubectl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.config = pathlib.Path(folder.name) / "kubeconfig"
        server = dev_server("--tls", "--token", "secret", "--kubeconfig", cls.config)
        server.__enter__()
        cls.addClassCleanup(server.__exit__, None, None, None)
        for program in ("hello-operator", "dynamic-operator"):
            operator = subprocess.Popen([BIN / program, "--kubeconfig", cls.config], stderr=subprocess.DEVNULL)
            cls.addClassCleanup(cls.stop, operator)
        kubectl(cls.config, "wait", "--for=condition=Established", "crd/greetings.demo.pintle.dev", "--timeout=20s", patience=20)

    @classmethod
    def stop(cls, operator):
        operator.send_signal(signal.SIGTERM)
        assert operator.wait(20) == 0, "an operator did not stop cleanly"

    def kubectl(self, *arguments, **options):
        return kubectl(self.config, *arguments, **options)

    def text_becomes(self, name, text):
        self.kubectl("get", "configmap", name, patience=20)
        for _ in range(100):
            seen = self.kubectl("get", "configmap", name, "-o", "jsonpath={.data.text}")
            if seen == text:
                return
        self.fail(f"{name} says {seen!r}, not {text!r}")

    # kubectl prompts for a user name if a kubeconfig for HTTPS has no credentials.
    def test_needs_no_user_name_for_a_server_without_a_token(self):
        config = self.config.with_name("any")
        with dev_server("--tls", "--kubeconfig", config):
            self.assertIn("default", kubectl(config, "get", "namespaces"))

    def test_apply_get_and_describe(self):
        self.assertIn("created", self.kubectl("apply", "-f", "-", stdin=greeting("one", "Ada")))
        self.assertIn("unchanged", self.kubectl("apply", "-f", "-", stdin=greeting("one", "Ada")))
        self.assertIn("configured", self.kubectl("apply", "-f", "-", stdin=greeting("one", "Grace")))
        self.text_becomes("one", "Hello, Grace!")
        table = self.kubectl("get", "greetings")
        self.assertRegex(table, r"NAME +AGE\n(.*\n)*one +\d")
        self.assertIn("who: Grace", self.kubectl("get", "greeting", "one", "-o", "yaml"))
        self.assertRegex(self.kubectl("describe", "greeting", "one"), r"Who: +Grace")
        self.assertIn("Hello, Grace!", self.kubectl("describe", "configmap", "one"))

    def test_edit_label_and_annotate(self):
        self.kubectl("apply", "-f", "-", stdin=greeting("two", "Ada"))
        editor = {"KUBE_EDITOR": "sed -i s/Ada/Katherine/"}
        self.assertIn("edited", self.kubectl("edit", "greeting", "two", environment=editor))
        self.text_becomes("two", "Hello, Katherine!")
        self.kubectl("label", "greeting", "two", "team=x")
        self.kubectl("annotate", "configmap", "two", "note=kept")
        self.assertEqual(self.kubectl("get", "greetings", "-l", "team=x", "-o", "name").strip(), "greeting.demo.pintle.dev/two")
        self.assertEqual(self.kubectl("get", "configmap", "two", "-o", "jsonpath={.metadata.annotations.note}"), "kept")

    def test_strategic_edit_of_a_built_in_kind(self):
        self.kubectl("create", "configmap", "plain", "--from-literal=a=1", "--from-literal=b=2")
        self.kubectl("edit", "configmap", "plain", environment={"KUBE_EDITOR": "sed -i '/b: /d'"})
        self.assertEqual(self.kubectl("get", "configmap", "plain", "-o", "jsonpath={.data}"), '{"a":"1"}')

    def test_watch_shows_changes_as_rows(self):
        self.kubectl("apply", "-f", "-", stdin=greeting("three", "Ada"))
        with subprocess.Popen([os.environ.get("KUBECTL", "kubectl"), "--kubeconfig", self.config, "get", "greetings", "-w",
                               "--field-selector=metadata.name=three"], stdout=subprocess.PIPE, text=True) as watch:
            self.assertIn("NAME", watch.stdout.readline())
            self.assertIn("three", watch.stdout.readline())
            self.kubectl("label", "greeting", "three", "x=y")
            self.assertIn("three", watch.stdout.readline())
            watch.terminate()

    def test_delete_and_wait_for_what_it_owned(self):
        self.kubectl("apply", "-f", "-", stdin=greeting("four", "Ada"))
        self.text_becomes("four", "Hello, Ada!")
        self.kubectl("delete", "greeting", "four", "--wait=false")
        wait_until_gone(self.config, "configmap", "four")
        self.assertIn("not found", self.kubectl("get", "configmap", "four", expect=1))

    def test_an_object_that_breaks_its_schema_is_refused_with_its_field(self):
        refused = self.kubectl("apply", "--validate=false", "-f", "-", stdin=greeting("bad", "3"), expect=1)
        self.assertIn("spec.who", refused)

    def test_who_am_i_and_what_may_i(self):
        self.assertEqual(self.kubectl("auth", "can-i", "delete", "greetings").strip(), "yes")
        self.assertEqual(self.kubectl("auth", "can-i", "get", "/metrics").strip(), "yes")
        self.assertIn("*.*", self.kubectl("auth", "can-i", "--list"))
        review = "apiVersion: authentication.k8s.io/v1\nkind: TokenReview\nspec: {token: secret}\n"
        self.assertIn("username: admin", self.kubectl("create", "-f", "-", "-o", "yaml", stdin=review))

    def test_the_dynamic_operator_greets_replica_sets_of_its_team(self):
        self.kubectl("apply", "-f", "-", stdin=REPLICA_SET)
        for _ in range(100):
            seen = self.kubectl("get", "replicaset", "rs", "-o", "jsonpath={.metadata.labels.hello}")
            if seen == "world":
                return
        self.fail(f"the label is {seen!r}")


if __name__ == "__main__":
    unittest.main(verbosity=1)
