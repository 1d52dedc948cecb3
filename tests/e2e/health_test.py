"""Health and metrics of an operator, and how it takes signals.

usage: health_test.py BIN_DIR
"""
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

from programs import BIN, dev_server, greeting, kubectl


def get(address, path):
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


class Health(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.config = pathlib.Path(folder.name) / "kubeconfig"

    def operator(self, *arguments):
        return subprocess.Popen([BIN / "hello-operator", "--kubeconfig", self.config, *arguments], stderr=subprocess.DEVNULL)

    def test_health_and_metrics_are_served_on_one_port(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            address = f"127.0.0.1:{free.getsockname()[1]}"
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
            metrics = get(address, "/metrics")[1]
            self.assertIn('controller_runtime_reconcile_total{controller="greeting",result="success"}', metrics)
            self.assertIn("rest_client_requests_total", metrics)
            operator.send_signal(signal.SIGINT)
            self.assertEqual(operator.wait(20), 0)

    def test_an_operator_that_waits_for_its_server_stops_at_a_signal(self):
        with dev_server("--kubeconfig", self.config):
            pass
        with self.operator() as operator:
            operator.send_signal(signal.SIGTERM)
            self.assertIn(operator.wait(20), (0, 3, -signal.SIGTERM))  # stopped, or was faster to find nobody there


if __name__ == "__main__":
    unittest.main(verbosity=1)
