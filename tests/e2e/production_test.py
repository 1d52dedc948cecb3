# SPDX-License-Identifier: Apache-2.0
"""The production example, run as its manifests define.

usage: production_test.py BIN_DIR
"""
import json
import pathlib
import re
import signal
import ssl
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

from programs import BIN, dev_server, kubectl

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "11-production"
TENANT = "apiVersion: demo.pintle.dev/v1\nkind: Tenant\nmetadata: {name: a}\nspec: {plan: team, seats: 3}\n"


def deployed_config():
    """Returns the lines under `config.yaml: |` of the ConfigMap."""
    text = (EXAMPLE / "deploy" / "operator.yaml").read_text()
    block = re.search(r"^  config\.yaml: \|\n((?:    .*\n)+)", text, re.M).group(1)
    return "".join(line[4:] + "\n" for line in block.splitlines())


class Production(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.settings = self.folder / "config.yaml"
        self.settings.write_text(deployed_config())

    def printed(self, flag):
        return subprocess.run([BIN / "tenant-operator", "--config", self.settings, flag], check=True,
                              capture_output=True, text=True).stdout

    def test_the_manifests_are_what_the_program_prints(self):
        self.assertEqual((EXAMPLE / "deploy" / "crds.yaml").read_text(), self.printed("--print-crds"))
        self.assertEqual((EXAMPLE / "deploy" / "rbac.yaml").read_text(), self.printed("--print-rbac"))

    def test_the_image_has_the_libraries_that_the_program_needs(self):
        headers = subprocess.run(["readelf", "-d", BIN / "tenant-operator"], check=True, capture_output=True, text=True)
        for library in re.findall(r"NEEDED.*\[(.+)\]", headers.stdout):
            owner = subprocess.run(["dpkg", "-S", f"*/{library}"], check=True, capture_output=True, text=True).stdout
            packages = {line.split(":")[0] for line in owner.splitlines()}
            installed = {"libc6", "libstdc++6", "libgcc-s1", *(EXAMPLE / "Dockerfile").read_text().split()}
            self.assertTrue(packages & installed, f"{library} is in {packages}, none of which the image has")

    def test_it_runs_with_the_settings_of_the_deployment(self):
        config = self.folder / "kubeconfig"
        log = (self.folder / "log").open("w+")
        self.addCleanup(log.close)
        with dev_server("--kubeconfig", config, "--tls", "--token", "t0ken"):
            kubectl(config, "apply", "-f", EXAMPLE / "deploy" / "crds.yaml")
            # Paths and ports of this machine; flags take precedence over the file.
            operator = subprocess.Popen(
                [BIN / "tenant-operator", "--config", self.settings, "--kubeconfig", config, "--listen=127.0.0.1:0",
                 "--state-dir", self.folder / "state", "--billing", self.folder / "billing"], stderr=log)
            try:
                kubectl(config, "apply", "-f", "-", stdin=TENANT, patience=20)
                kubectl(config, "wait", "--for=condition=Ready", "tenant/a", "--timeout=20s", patience=20)
                self.assertEqual([path.read_text() for path in (self.folder / "billing").iterdir()], ["team 3\n"])
                self.check_pages(log)
                kubectl(config, "delete", "tenant", "a", "--timeout=20s")
                self.assertEqual(list((self.folder / "billing").iterdir()), [])
            finally:
                operator.send_signal(signal.SIGTERM)
                self.assertEqual(operator.wait(20), 0, (self.folder / "log").read_text())

    def check_pages(self, log):
        """Checks that health is public, and that metrics need an authenticated and authorized user."""
        lines = [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]
        url = next(line["url"] for line in lines if "url" in line)
        self.assertTrue(url.startswith("https://"), url)
        anybody = ssl.create_default_context()
        anybody.check_hostname = False
        anybody.verify_mode = ssl.CERT_NONE

        def get(path, token=None):
            request = urllib.request.Request(url + path, headers={"Authorization": f"Bearer {token}"} if token else {})
            try:
                with urllib.request.urlopen(request, timeout=10, context=anybody) as answer:
                    return answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                return error.code, error.read().decode()

        for _ in range(200):
            if get("/readyz")[0] == 200:
                break
            threading.Event().wait(0.05)
        self.assertEqual(get("/healthz")[0], 200)
        self.assertEqual(get("/metrics")[0], 401)
        self.assertEqual(get("/metrics", "wrong")[0], 401)
        status, metrics = get("/metrics", "t0ken")
        self.assertEqual(status, 200)
        self.assertIn("tenant_operator_accounts_opened_total 1", metrics)


if __name__ == "__main__":
    unittest.main(verbosity=1)
