# SPDX-License-Identifier: Apache-2.0
"""The debug API of a running operator: each response is as src/manager/debug/debug_v1.json defines it.

usage: debug_api_test.py BIN_DIR
"""
import contextlib
import itertools
import json
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request

from programs import BIN, dev_server, greeting, kubectl

DOCUMENT = json.loads((pathlib.Path(__file__).resolve().parents[2] / "src/manager/debug/debug_v1.json").read_text())
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}


def check(value, schema, where):
    """Fails if the value differs from the schema. Supports the parts of JSON Schema that the document uses."""
    if "$ref" in schema:
        return check(value, DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], where)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    fits = [one for one in types if isinstance(value, TYPES[one]) and (one == "boolean") == isinstance(value, bool)]
    assert fits or not types, f"{where}: {value!r} is not {types}"
    assert "enum" not in schema or value in schema["enum"], f"{where}: {value!r} is not one of {schema['enum']}"
    if schema.get("format") == "date-time":
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value), f"{where}: {value}"
    if isinstance(value, list):
        for i, one in enumerate(value):
            check(one, schema["items"], f"{where}/{i}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = schema.get("additionalProperties", True)
        missing = set(schema.get("required", [])) - value.keys()
        assert not missing, f"{where}: {missing} is missing in {value}"
        for name, one in value.items():
            assert name in known or more, f"{where}: {name} is not in the document"
            check(one, known.get(name, more if isinstance(more, dict) else {}), f"{where}/{name}")


class DebugApi(unittest.TestCase):
    def setUp(self):
        self.running = contextlib.ExitStack()
        self.addCleanup(self.running.close)
        folder = pathlib.Path(self.running.enter_context(tempfile.TemporaryDirectory()))
        self.config = folder / "kubeconfig"
        self.running.enter_context(dev_server("--kubeconfig", self.config))
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{listener.getsockname()[1]}"
        log = self.running.enter_context((folder / "log").open("w"))
        operator = subprocess.Popen([BIN / "hello-operator", "--kubeconfig", self.config, "--listen", self.address,
                                     "--debug", "--leader-elect", "--leader-elect-resource-namespace", "default"],
                                    stderr=log)
        self.running.callback(self.stop, operator)
        self.wait_for(lambda: self.send("/operator")["election"].get("leading"))

    def stop(self, operator):
        operator.send_signal(signal.SIGTERM)
        self.assertEqual(operator.wait(20), 0)

    def send(self, path, method="GET", **parameters):
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        request = urllib.request.Request(f"http://{self.address}/debug/v1{path}{query}", method=method)
        with urllib.request.urlopen(request, timeout=20) as response:
            return json.load(response)

    def wait_for(self, condition):
        for _ in range(600):
            with contextlib.suppress(urllib.error.URLError, KeyError, IndexError):
                if found := condition():
                    return found
            threading.Event().wait(0.05)
        self.fail("it did not happen in 30 s")

    def events(self, **parameters):
        """Opens the stream. Returns an iterator over its events: name and data."""
        stream = urllib.request.urlopen(f"http://{self.address}/debug/v1/stream?{urllib.parse.urlencode(parameters)}",
                                        timeout=30)
        self.running.callback(stream.close)

        def read():
            for line in stream:
                if line.startswith(b"event: "):
                    yield line[7:].decode().strip(), json.loads(stream.readline().decode()[6:])
        return read()

    def create_pods(self, *names):
        """Creates pods of one operator, in each of which a container has the name of the pod as its host name."""
        for name in names:
            kubectl(self.config, "apply", "-f", "-", stdin=json.dumps({
                "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": "hello"}},
                "spec": {"nodeName": "node", "containers": [{"name": "main", "image": "hello"}]}}))

    def test_the_replicas_are_the_pods_of_the_operator(self):
        with self.assertRaises(urllib.error.HTTPError) as outside:
            self.send("/replicas")
        self.assertEqual(outside.exception.code, 404, "it is not in a pod")
        own = socket.gethostname()
        self.create_pods(own, "second")
        found = {one["name"]: one for one in self.wait_for(lambda: self.send("/replicas")["items"])}
        self.assertEqual(sorted(found), sorted([own, "second"]))
        self.assertEqual((found[own]["leading"], found[own]["thisInstance"]), (True, True))
        self.assertEqual((found["second"]["leading"], found["second"]["thisInstance"]), (False, False))

    def test_answers_are_as_the_document_says(self):
        self.create_pods(socket.gethostname())
        kubectl(self.config, "apply", "-f", "-", stdin=greeting("a", "you"))
        self.wait_for(lambda: self.send("/reconciles")["items"])
        parameters = {"object": {"key": "default/a"}}
        seen = set()
        for path, item in DOCUMENT["paths"].items():
            answer = item.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).get("application/json", {})
            if "schema" not in answer:
                continue
            short = path.removeprefix("/debug/v1").replace("{controller}", "greeting")
            check(self.send(short, **parameters.get(short.rsplit("/", 1)[1], {})), answer["schema"], path)
            seen.add(path)
        self.assertGreaterEqual(len(seen), 8)
        self.assertEqual(self.send("/openapi.json"), DOCUMENT)

    def test_an_object_has_its_history_and_children(self):
        kubectl(self.config, "apply", "-f", "-", stdin=greeting("a", "you"))
        made = self.wait_for(lambda: [one for one in self.history() if one["writes"]])
        self.assertEqual(made[0]["writes"][0]["verb"], "create")
        self.assertIn("PATCH /api/v1/namespaces/{namespace}/configmaps/{name}", [span["name"] for span in made[0]["spans"]])
        kubectl(self.config, "apply", "-f", "-", stdin=greeting("a", "all"))
        changed = self.wait_for(lambda: [one for one in self.history()
                                         if one["writes"] and one["writes"][0]["verb"] == "update"])[0]
        self.assertEqual(changed["writes"][0]["changes"],
                         [{"path": "/data/text", "before": '"Hello, you!"', "after": '"Hello, all!"'}])
        self.assertIn("/spec/who", changed["causes"][0]["text"])
        at_rest = self.wait_for(lambda: [one for one in [self.send("/controllers/greeting/object", key="default/a")]
                                         if one["next"].startswith("Nothing happens until")])[0]
        self.assertEqual([(one["kind"]["kind"], one["key"]) for one in at_rest["children"]],
                         [("ConfigMap", "default/a")])

    def history(self):
        return self.send("/controllers/greeting/object", key="default/a")["reconciles"]

    def test_the_stream_sends_what_happens(self):
        events = self.events(events="reconcile,controllers", key="default/a")
        name, data = next(self.events())
        self.assertEqual(name, "controllers")
        check(data, {"$ref": "#/components/schemas/Controllers"}, "controllers")
        kubectl(self.config, "apply", "-f", "-", stdin=greeting("a", "you"))
        # The controllers are sent every second.
        reconcile = next(data for name, data in itertools.islice(events, 60) if name == "reconcile")
        check(reconcile, {"$ref": "#/components/schemas/Reconcile"}, "reconcile")

    def test_a_standby_names_the_pages_of_the_leader(self):
        addresses = {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), None)}
        with socket.socket() as listener:
            listener.bind(("0.0.0.0", 0))
            port = listener.getsockname()[1]
        leader = subprocess.Popen([BIN / "leader-operator", "--kubeconfig", self.config, "--listen", f"0.0.0.0:{port}",
                                   "--debug"], stderr=subprocess.DEVNULL)
        self.running.callback(self.stop, leader)

        def lease():
            for one in json.loads(kubectl(self.config, "get", "leases", "-A", "-o", "json"))["items"]:
                if one["metadata"]["name"].startswith("leader") and one["spec"].get("holderIdentity"):
                    return one
            return None
        pages = self.wait_for(lease)["metadata"].get("annotations", {}).get("pintle.dev/pages")
        if all(one.startswith(("127.", "::1")) for one in addresses):
            self.assertIsNone(pages, "other machines cannot reach it")
        else:
            self.assertIn(pages, {f"http://{one}:{port}" for one in addresses} | {f"http://[{one}]:{port}" for one in addresses})

    def test_commands(self):
        kubectl(self.config, "apply", "-f", "-", stdin=greeting("a", "you"))
        self.wait_for(lambda: self.history())
        path = "/controllers/greeting"
        self.assertEqual(self.send(f"{path}/pause", "POST", key="default/a"), {"key": "default/a", "paused": True})
        self.wait_for(lambda: self.send(f"{path}/object", key="default/a")["paused"])
        kubectl(self.config, "apply", "-f", "-", stdin=greeting("a", "all"))
        self.send(f"{path}/pause", "POST", key="default/a", paused="false")
        self.wait_for(lambda: kubectl(self.config, "get", "cm", "a", "-o", "jsonpath={.data.text}") == "Hello, all!")
        self.assertEqual(self.send("/log-level", "POST", level="debug"), {"logLevel": "debug"})
        self.assertEqual(self.send(f"{path}/reconcile", "POST", key="default/a"), {"queued": "default/a"})
        self.wait_for(lambda: self.send("/log", search="default/a", level="debug")["items"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
