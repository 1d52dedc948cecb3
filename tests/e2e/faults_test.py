# SPDX-License-Identifier: Apache-2.0
"""pintle dev --faults: the effects of the rules in a file on real clients, over sockets.

usage: faults_test.py BIN_DIR
"""
import contextlib
import http.client
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from programs import BIN, dev_server, greeting, kubectl

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"

# Each kind of fault, only for the operator and only in its first minute.
STORM = """
seed: 7
faults:
- {requests: {client: hello-operator, verb: [list, patch]}, every: 2, times: 5, error: {status: 429, retryAfterSeconds: 1}}
- {requests: {client: hello-operator, verb: patch}, every: 3, times: 5, drop: {afterCommit: true}}
- {requests: {client: hello-operator, verb: patch}, probability: 0.5, times: 5, error: {status: 409}}
- {requests: {client: hello-operator}, every: 4, times: 5, delay: {duration: 300ms}}
- {requests: {client: hello-operator, verb: watch}, first: 2, every: 3, times: 5, truncate: {afterEvents: 1}}
- {requests: {client: hello-operator, verb: watch}, every: 3, times: 3, errorEvent: {afterEvents: 1}}
- {requests: {client: hello-operator}, repeat: {}}
- {requests: {client: hello-operator, verb: watch}, split: {bytes: 7}}
- {requests: {client: hello-operator}, times: 3, stale: {age: 2s}}
"""


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, text):
        path = self.folder / "faults.yaml"
        path.write_text(text)
        return path

    def serve(self, rules):
        server = dev_server("--faults", self.file("faults:\n" + rules))
        self.url = server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)

    def ask(self, method, path, body=None):
        """Sends a request on its own connection. Returns the response and its body."""
        request = urllib.request.Request(self.url + path, method=method, data=body and json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return response, json.load(response)
        except urllib.error.HTTPError as error:
            return error, json.load(error)

    def create(self, name):
        return self.ask("POST", CONFIG_MAPS, {"metadata": {"name": name}})

    def names(self):
        return [item["metadata"]["name"] for item in self.ask("GET", CONFIG_MAPS)[1]["items"]]

    def watch(self, query=""):
        """Returns the events of a watch, and whether it ended without an error."""
        url = urllib.parse.urlsplit(self.url)
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
        self.addCleanup(connection.close)
        connection.request("GET", f"{CONFIG_MAPS}?watch=true&timeoutSeconds=2{query}")
        lines, well = b"", True
        response = connection.getresponse()
        while True:
            try:
                piece = response.read1(1 << 16)
            except http.client.HTTPException:
                well = False
                break
            if not piece:
                break
            lines += piece
        events = [json.loads(line) for line in lines.splitlines()]
        return [(event["type"], event["object"].get("metadata", {}).get("name")) for event in events], well

    def test_an_error_tells_when_to_come_back(self):
        self.serve("- {requests: {verb: create}, first: 2, times: 1, error: {status: 429, retryAfterSeconds: 3}}")
        self.assertEqual(self.create("a")[0].status, 201)
        refused, status = self.create("b")
        self.assertEqual((refused.status, refused.headers["Retry-After"]), (429, "3"))
        self.assertEqual((status["kind"], status["reason"]), ("Status", "TooManyRequests"))
        self.assertEqual(self.create("c")[0].status, 201)
        self.assertEqual(self.names(), ["a", "c"])

    def test_an_answer_is_lost_after_the_work_is_done(self):
        self.serve("- {requests: {verb: create}, times: 1, drop: {}}\n"
                   "- {requests: {verb: create}, first: 2, drop: {afterCommit: true}}")
        for name in ("a", "b"):
            with self.assertRaises((http.client.RemoteDisconnected, ConnectionResetError)):
                self.create(name)
        self.assertEqual(self.names(), ["b"])

    def test_a_watch_is_cut_repeated_and_told_that_it_expired(self):
        self.serve("- {requests: {verb: watch}, times: 1, truncate: {afterEvents: 2}}\n"
                   "- {first: 2, times: 1, repeat: {nth: 1}}\n"
                   "- {first: 3, times: 1, errorEvent: {afterEvents: 1}}\n"
                   "- {first: 4, times: 1, split: {bytes: 3}, requests: {verb: watch}}")
        for name in ("a", "b", "c"):
            self.create(name)
        whole = [("ADDED", "a"), ("ADDED", "b"), ("ADDED", "c")]
        self.assertEqual(self.watch(), (whole[:2], False))
        self.assertEqual(self.watch(), ([whole[0], *whole], True))
        self.assertEqual(self.watch(), ([whole[0], ("ERROR", None)], True))
        self.assertEqual(self.watch(), (whole, True))

    def test_a_delay_keeps_nobody_else_waiting(self):
        self.serve("- {requests: {verb: create}, delay: {duration: 2s}}")
        slow = [threading.Thread(target=self.create, args=(f"slow-{n}",)) for n in range(5)]
        begin = time.monotonic()
        for thread in slow:
            thread.start()
        self.assertEqual(self.names(), [])
        self.assertLess(time.monotonic() - begin, 1.5)
        for thread in slow:
            thread.join()
        self.assertGreaterEqual(time.monotonic() - begin, 2)
        self.assertLess(time.monotonic() - begin, 6, "one after the other they take ten seconds")
        self.assertEqual(len(self.names()), 5)

    def test_a_replica_is_behind_and_a_backup_is_restored(self):
        self.serve("- {requests: {path: /api/v1/namespaces/default/configmaps}, stale: {versions: 1}}\n"
                   "- {requests: {verb: get, name: c}, rewind: {versions: 2}}")
        for name in ("a", "b", "c"):
            self.create(name)
        newest = int(self.ask("GET", CONFIG_MAPS)[1]["metadata"]["resourceVersion"])
        stale = self.ask("GET", CONFIG_MAPS + "?resourceVersion=0")[1]
        self.assertEqual([item["metadata"]["name"] for item in stale["items"]], ["a", "b"])
        self.assertEqual(self.ask("GET", f"{CONFIG_MAPS}?resourceVersion={newest}")[0].status, 504)
        self.assertEqual(self.ask("GET", CONFIG_MAPS + "/c")[0].status, 404)
        restored = self.ask("GET", CONFIG_MAPS)[1]
        self.assertEqual([item["metadata"]["name"] for item in restored["items"]], ["a"])
        self.assertEqual(int(restored["metadata"]["resourceVersion"]), newest - 2)

    def test_an_operator_gets_through(self):
        config = self.folder / "kubeconfig"
        with dev_server("--faults", self.file(STORM), "--kubeconfig", config):
            operator = subprocess.Popen([BIN / "hello-operator", "--kubeconfig", config], stderr=subprocess.DEVNULL)
            try:
                kubectl(config, "wait", "--for=condition=Established", "crd/greetings.demo.pintle.dev", "--timeout=20s",
                        patience=30)
                for name in ("one", "two", "three"):
                    kubectl(config, "apply", "-f", "-", stdin=greeting(name, name), patience=20)
                for name in ("one", "two", "three"):
                    self.assertEqual(self.text(config, name, f"Hello, {name}!"), f"Hello, {name}!")
            finally:
                operator.send_signal(signal.SIGTERM)
                self.assertEqual(operator.wait(30), 0)

    @staticmethod
    def text(config, name, wanted):
        for _ in range(300):
            with contextlib.suppress(AssertionError):
                text = kubectl(config, "get", "configmap", name, "-o", "jsonpath={.data.text}")
                if text == wanted:
                    return text
            threading.Event().wait(0.1)
        return kubectl(config, "get", "configmap", name, "-o", "jsonpath={.data.text}")

    def test_the_file_of_the_page_is_one(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "faults.md"
        with dev_server("--faults", self.file(re.search(r"```yaml\n(.*?)```", page.read_text(), re.S).group(1))):
            pass

    def test_every_mistake_in_the_file_has_a_line(self):
        path = self.file("faults:\n- {requests: {verb: lst}, drop: {}}\n- {delay: {duration: 5}}\n- {drop: {}, frist: 2}\n")
        done = subprocess.run([BIN / "pintle", "dev", "--faults", path], capture_output=True, text=True, timeout=20)
        lines = done.stderr.splitlines()
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(lines), 3, lines)
        for line, place in zip(lines, ("faults[0].requests.verb", "faults[1].delay.duration", "faults[2].frist")):
            self.assertTrue(line.startswith(f"pintle dev: {path}: {place}: "), line)
        for text, told in (("faults: [", "line 2"), ("", "faults: missing")):
            done = subprocess.run([BIN / "pintle", "dev", "--faults", self.file(text)], capture_output=True, text=True,
                                  timeout=20)
            self.assertEqual(done.returncode, 2)
            self.assertIn(told, done.stderr)
        done = subprocess.run([BIN / "pintle", "dev", "--faults", self.folder / "none"], capture_output=True, text=True,
                              timeout=20)
        self.assertEqual((done.returncode, done.stderr),
                         (2, f"pintle dev: {self.folder / 'none'}: No such file or directory\n"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
