# SPDX-License-Identifier: Apache-2.0
"""pintle dev --authorization rbac with kubectl, and an operator that has the roles that it prints and no others.

usage: authorization_test.py BIN_DIR     (KUBECTL names another kubectl than the one on PATH)
"""
import base64
import json
import pathlib
import signal
import subprocess
import tempfile
import unittest

from programs import BIN, dev_server, greeting, kubectl


class Authorization(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.config = cls.folder / "kubeconfig"
        users = cls.folder / "users.csv"
        users.write_text('b0b,bob,bob-uid,"dev,ops"\n')
        server = dev_server("--authorization", "rbac", "--token-file", users, "--kubeconfig", cls.config)
        cls.url = server.__enter__()
        cls.addClassCleanup(server.__exit__, None, None, None)

    def kubectl(self, *arguments, **options):
        return kubectl(self.config, *arguments, **options)

    def post(self, path, version, kind, **members):
        """Returns the response. Old kubectls have no `auth whoami` and no `create token`."""
        body = json.dumps({"apiVersion": version, "kind": kind, **members})
        return json.loads(self.kubectl("create", "--raw", path, "-f", "-", stdin=body))

    def config_with(self, token):
        """Writes a kubeconfig for the same server with another token."""
        path = self.folder / f"kubeconfig-{len(token)}"
        text = self.config.read_text()
        used = json.loads(self.kubectl("config", "view", "--raw", "-o", "json"))["users"][0]["user"]["token"]
        path.write_text(text.replace(used, token))
        return path

    # server-facts 20: one flag is enough, and kubectl does not prompt for a user name.
    def test_one_flag_gives_an_administrator_with_a_token(self):
        self.assertTrue(self.url.startswith("https://"))
        self.assertEqual(self.kubectl("auth", "can-i", "*", "*").strip(), "yes")
        review = self.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "authentication.k8s.io/v1", "SelfSubjectReview")
        self.assertIn("system:masters", review["status"]["userInfo"]["groups"])

    def test_can_i_lists_what_another_user_may_do(self):
        self.assertEqual(self.kubectl("auth", "can-i", "get", "pods", "--as", "zoe", expect=1).strip(), "no")
        self.kubectl("create", "rolebinding", "zoe", "--clusterrole=view", "--user=zoe", "-n", "default")
        self.assertEqual(self.kubectl("auth", "can-i", "get", "pods", "--as", "zoe", patience=10).strip(), "yes")
        self.assertEqual(self.kubectl("auth", "can-i", "get", "secrets", "--as", "zoe", expect=1).strip(), "no")
        listed = self.kubectl("auth", "can-i", "--list", "--as", "zoe")
        self.assertRegex(listed, r"selfsubjectreviews.authentication.k8s.io +\[\] +\[\] +\[create\]")
        self.assertRegex(listed, r"configmaps +\[\] +\[\] +\[get list watch\]")
        refused = self.kubectl("get", "nodes", "--as", "zoe", "--as-group", "staff", expect=1)
        self.assertIn('nodes is forbidden: User "zoe" cannot list resource "nodes" in API group "" at the cluster scope',
                      refused)

    def test_a_user_of_the_token_file_has_the_rights_of_its_group(self):
        bob = self.config_with("b0b")
        self.assertIn('User "bob" cannot list resource "configmaps"', kubectl(bob, "get", "configmaps", expect=1))
        self.kubectl("create", "clusterrolebinding", "dev", "--clusterrole=edit", "--group=dev")
        kubectl(bob, "create", "configmap", "bobs", "--from-literal=a=b", patience=10)
        grant = kubectl(bob, "create", "rolebinding", "more", "--clusterrole=admin", "--user=bob", expect=1)
        self.assertIn("cannot create resource \"rolebindings\"", grant)
        self.assertIn("Unauthorized", kubectl(self.config_with("wrong-token"), "get", "configmaps", expect=1))

    def test_reconcile_applies_roles(self):
        role = ("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r, namespace: default}\n"
                "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n")
        self.assertIn("r reconciled", self.kubectl("auth", "reconcile", "-f", "-", stdin=role))

    def test_an_operator_works_with_the_roles_that_it_prints(self):
        roles = subprocess.run([BIN / "hello-operator", "--print-rbac"], capture_output=True, text=True, check=True).stdout
        self.kubectl("create", "serviceaccount", "hello")
        request = self.post("/api/v1/namespaces/default/serviceaccounts/hello/token", "authentication.k8s.io/v1", "TokenRequest",
                            spec={"expirationSeconds": 7200})
        token = request["status"]["token"]
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        self.assertEqual(claims["sub"], "system:serviceaccount:default:hello")
        self.assertEqual(claims["exp"] - claims["iat"], 7200)
        config = self.config_with(token)
        self.assertEqual(kubectl(config, "auth", "can-i", "list", "configmaps", expect=1).strip(), "no")

        self.kubectl("apply", "-f", "-", stdin=roles)
        self.kubectl("create", "clusterrolebinding", "hello", "--clusterrole=hello-operator", "--serviceaccount=default:hello")
        operator = subprocess.Popen([BIN / "hello-operator", "--kubeconfig", config], stderr=subprocess.PIPE, text=True)
        try:
            self.kubectl("wait", "--for=condition=Established", "crd/greetings.demo.pintle.dev", "--timeout=20s", patience=20)
            self.kubectl("apply", "-f", "-", stdin=greeting("one", "Ada"))
            self.kubectl("get", "configmap", "one", patience=20)
            self.kubectl("delete", "greeting", "one", "--timeout=20s")
        finally:
            operator.send_signal(signal.SIGTERM)
            log = operator.communicate(timeout=20)[1]
        self.assertEqual(operator.returncode, 0, log)
        self.assertNotIn("orbidden", log)
        self.assertIn("Unauthorized", self.after_deletion_of_the_account(config))

    def after_deletion_of_the_account(self, config):
        self.kubectl("delete", "serviceaccount", "hello")
        return kubectl(config, "get", "configmaps", expect=1)


class Options(unittest.TestCase):
    def fails(self, *arguments):
        done = subprocess.run([BIN / "pintle", "dev", *arguments], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_roles_without_credentials_are_an_error(self):
        self.assertIn("--authorization rbac requires --kubeconfig, --token or --token-file",
                      self.fails("--authorization", "rbac"))

    def test_a_mistake_in_a_token_file_names_its_line(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("t,bob,uid\nt2\n")
            file.flush()
            self.assertIn(f"{file.name}: line 2: write TOKEN,NAME,UID", self.fails("--token-file", file.name))


if __name__ == "__main__":
    unittest.main()
