# SPDX-License-Identifier: Apache-2.0
"""`pintle top` and `pintle why` with a running operator, at its URL and through the proxy of its pod.

usage: terminal_test.py BIN_DIR
"""
import contextlib
import os
import pathlib
import pty
import re
import select
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

from programs import BIN, dev_server, greeting, kubectl

POD = """apiVersion: v1
kind: Pod
metadata: {name: hello}
spec: {containers: [{name: hello, image: hello, ports: [{name: pages, containerPort: 8080}]}]}
"""


def pintle(*arguments, expect=0):
    done = subprocess.run([BIN / "pintle", *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert done.returncode == expect, f"{arguments}: {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout if expect == 0 else done.stderr


class Terminal(unittest.TestCase):
    def setUp(self):
        self.running = contextlib.ExitStack()
        self.addCleanup(self.running.close)
        folder = pathlib.Path(self.running.enter_context(tempfile.TemporaryDirectory()))
        self.config = folder / "kubeconfig"
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.running.enter_context(dev_server("--kubeconfig", self.config, "--pod", f"default/hello:8080={self.url}"))
        log = self.running.enter_context((folder / "log").open("w"))
        operator = subprocess.Popen([BIN / "hello-operator", "--kubeconfig", self.config, "--listen", self.url[7:],
                                     "--debug"], stderr=log)
        self.running.callback(self.stop, operator)
        for _ in range(600):
            with contextlib.suppress(urllib.error.URLError):
                urllib.request.urlopen(f"{self.url}/readyz", timeout=5).close()
                break
            threading.Event().wait(0.05)
        kubectl(self.config, "apply", "-f", "-", stdin=greeting("a", "you"))
        kubectl(self.config, "get", "configmap", "a", patience=30)

    def stop(self, operator):
        operator.send_signal(signal.SIGTERM)
        self.assertEqual(operator.wait(20), 0)

    def test_why_shows_the_history_of_an_object(self):
        for _ in range(100):
            text = pintle("why", "greetings", "a", "--operator", self.url)
            if "next  Nothing happens until" in text:  # all events of its ConfigMap have been handled
                break
        self.assertIn("demo.pintle.dev/v1 Greeting default/a  (controller greeting,", text)
        self.assertIn("next  Nothing happens until", text)
        self.assertIn("create v1 ConfigMap default/a", text)
        self.assertIn("why   Nothing is wrong", text)

    def test_a_pod_is_reached_through_the_api_server(self):
        self.assertIn('pods "hello" not found',
                      pintle("why", "greeting", "a", "--operator", "hello", "--kubeconfig", self.config, expect=1))
        kubectl(self.config, "apply", "-f", "-", stdin=POD)
        for pod in ("hello", "default/hello", "hello:8080"):
            text = pintle("why", "greeting", "default/a", "--operator", pod, "--kubeconfig", self.config)
            self.assertIn("Greeting default/a", text)
        table = pintle("top", "hello", "--kubeconfig", self.config, "--once")
        self.assertIn("pod default/hello:8080", table)
        self.assertIn("greeting    Greeting", table)

    # The API server of most clusters has a DNS name, which its pod proxy forwards as Host.
    def test_the_api_server_may_have_a_dns_name(self):
        kubectl(self.config, "apply", "-f", "-", stdin=POD)
        server = re.search(r"http://[0-9.:]+", self.config.read_text())[0]
        page = f"{server}/api/v1/namespaces/default/pods/hello:8080/proxy/debug/v1/operator"
        host = {"Host": "abc.gr7.eu-west-1.eks.amazonaws.com"}
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(page, headers=host), timeout=20)
        self.assertEqual(refused.exception.code, 403)
        refused.exception.close()
        request = urllib.request.Request(page, headers={**host, **self.headers_of_pintle()})
        with urllib.request.urlopen(request, timeout=20) as response:
            self.assertEqual(response.status, 200)

    # Returns the headers that `pintle why` sends, apart from those of the connection.
    def headers_of_pintle(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            command = subprocess.Popen([BIN / "pintle", "why", "greeting", "a", "--operator",
                                        f"http://127.0.0.1:{listener.getsockname()[1]}"], stderr=subprocess.DEVNULL)
            with contextlib.closing(listener.accept()[0]) as connection:
                lines = connection.recv(65536).decode().split("\r\n")[1:]
            listener.close()
            self.assertEqual(command.wait(60), 1)
        headers = dict(line.split(": ", 1) for line in lines if ": " in line)
        return {name: value for name, value in headers.items() if name.lower() not in ("host", "accept-encoding")}

    def test_errors_say_what_to_do(self):
        why = ["why", "greeting", "a", "--operator"]
        self.assertIn("it has controllers of Greeting", pintle("why", "pod", "a", "--operator", self.url, expect=1))
        self.assertIn("there is no Greeting default/b", pintle("why", "greeting", "b", "--operator", self.url, expect=1))
        self.assertIn("ftp", pintle(*why, "ftp://127.0.0.1:1", expect=2))
        self.assertIn("127.0.0.1:1", pintle(*why, "http://127.0.0.1:1", expect=1))
        self.assertIn("kubeconfig", pintle(*why, "hello", "--kubeconfig", "/none", expect=2))
        self.assertIn("default/a is not in the namespace other",
                      pintle("why", "greeting", "default/a", "-n", "other", "--operator", self.url, expect=2))

    def test_pages_without_the_debug_api_name_the_flag(self):
        server = re.search(r"http://[0-9.:]+", self.config.read_text())[0]  # has no such pages
        self.assertIn("the operator must run with --debug", pintle("why", "greeting", "a", "--operator", server, expect=1))

    def test_top_follows_the_operator_until_q(self):
        leader, follower = pty.openpty()
        top = subprocess.Popen([BIN / "pintle", "top", self.url, "--interval", "0.5"], stdin=follower, stdout=follower,
                               stderr=subprocess.STDOUT)
        os.close(follower)
        seen = ""
        while seen.count("CONTROLLER") < 3:
            self.assertTrue(select.select([leader], [], [], 30)[0], seen)
            seen += os.read(leader, 65536).decode()
        os.write(leader, b"q")
        self.assertEqual(top.wait(20), 0)
        with contextlib.suppress(OSError):
            while part := os.read(leader, 65536):
                seen += part.decode()
        os.close(leader)
        self.assertTrue(seen.endswith("\x1b[?25h"), "the cursor is visible again")


if __name__ == "__main__":
    unittest.main(verbosity=1)
