# SPDX-License-Identifier: Apache-2.0
"""Health and metrics of an operator, and its reaction to signals.

usage: health_test.py BIN_DIR
"""
import http.client
import pathlib
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

from programs import BIN, dev_server, greeting, kubectl


def get(address, path, token=None, scheme="http"):
    request = urllib.request.Request(f"{scheme}://{address}{path}")
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    anybody = ssl._create_unverified_context()
    try:
        with urllib.request.urlopen(request, timeout=10, context=anybody if scheme == "https" else None) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except (OSError, http.client.HTTPException):
        return 0, ""


class Health(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.config = pathlib.Path(folder.name) / "kubeconfig"

    def free_address(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            return f"127.0.0.1:{free.getsockname()[1]}"

    def operator(self, *arguments):
        return subprocess.Popen([BIN / "hello-operator", "--kubeconfig", self.config, *arguments], stderr=subprocess.DEVNULL)

    def test_health_and_metrics_are_served_on_one_port(self):
        address = self.free_address()
        with dev_server("--kubeconfig", self.config), self.operator("--listen", address) as operator:
            for _ in range(200):
                if get(address, "/readyz")[0] == 200:
                    break
                threading.Event().wait(0.05)
            self.assertEqual(get(address, "/healthz"), (200, "ok\n"))
            self.assertEqual(get(address, "/readyz"), (200, "ok\n"))
            self.assertEqual(get(address, "/nope")[0], 404)
            kubectl(self.config, "apply", "-f", "-", stdin=greeting("a", "Ada"))
            kubectl(self.config, "get", "configmap", "a", patience=20)
            reconciled = 'controller_runtime_reconcile_total{controller="greeting",result="success"}'
            for _ in range(200):
                metrics = get(address, "/metrics")[1]
                if reconciled in metrics:
                    break
                threading.Event().wait(0.05)
            self.assertIn(reconciled, metrics)
            self.assertIn("rest_client_requests_total", metrics)
            operator.send_signal(signal.SIGINT)
            self.assertEqual(operator.wait(20), 0)

    def test_pages_are_for_those_whom_the_cluster_lets_see_them(self):
        address = self.free_address()
        with dev_server("--tls", "--token", "secret", "--kubeconfig", self.config), \
                self.operator("--listen", address, "--tls", "--authorize", "--debug", "--profiling") as operator:
            def status(path, token=None):
                return get(address, path, token=token, scheme="https")[0]
            for _ in range(200):
                if status("/readyz") == 200:
                    break
                threading.Event().wait(0.05)
            self.assertEqual(status("/healthz"), 200)
            for path in ("/metrics", "/debug/v1/operator", "/debug/heap"):
                self.assertEqual([status(path), status(path, "guess"), status(path, "secret")], [401, 401, 200], path)
            self.assertEqual(get(address, "/metrics"), (0, ""))
            operator.send_signal(signal.SIGINT)
            self.assertEqual(operator.wait(20), 0)

    def test_an_operator_that_waits_for_its_server_stops_at_a_signal(self):
        with dev_server("--kubeconfig", self.config):
            pass
        with self.operator() as operator:
            operator.send_signal(signal.SIGTERM)
            # 0 or -SIGTERM: ended by the signal; 3: ended before the signal, because the server is gone.
            self.assertIn(operator.wait(20), (0, 3, -signal.SIGTERM))


if __name__ == "__main__":
    unittest.main(verbosity=1)
