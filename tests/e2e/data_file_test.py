# SPDX-License-Identifier: Apache-2.0
"""pintle dev --data: what a server that was killed, or whose disk was full, has kept.

usage: data_file_test.py BIN_DIR            (PINTLE_LONG: 1,000 kills)
"""
import contextlib
import http.client
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

from programs import BIN

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
KILLS = 1000 if "PINTLE_LONG" in os.environ else 8
WRITERS = 4
KEYS = 5  # of each writer


class Server:
    """A `pintle dev` on a data file."""

    def __init__(self, path, **options):
        self.process = subprocess.Popen([BIN / "pintle", "dev", "--data", path], stdout=subprocess.PIPE, text=True,
                                        **options)
        line = self.process.stdout.readline().split()
        assert line and line[0] == "ready", line
        self.url = urllib.parse.urlsplit(line[1])

    def connect(self):
        return http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=20)

    def ask(self, method, path, body=None):
        with contextlib.closing(self.connect()) as connection:
            return exchange(connection, method, path, body)

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait(20)
        self.process.stdout.close()


def exchange(connection, method, path, body=None):
    kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
    connection.request(method, path, body=body and json.dumps(body), headers={"Content-Type": kind})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


class Writer:
    """Writes objects that no other writer writes. Records the values that were acknowledged; None: no object."""

    def __init__(self, number):
        self.random = random.Random(number)
        self.values = {f"w{number}-{key}": {None} for key in range(KEYS)}  # the possible values of each object
        self.writes = 0
        self.version = 0

    def run(self, server):
        connection = server.connect()
        try:
            while True:
                self.write(connection)
        except (OSError, http.client.HTTPException, ValueError):
            pass  # the server was killed
        connection.close()

    def write(self, connection):
        name = self.random.choice(sorted(self.values))
        (before,) = self.values[name]
        self.writes += 1
        after = str(self.writes)
        if before is None:
            request = ("POST", CONFIG_MAPS, {"metadata": {"name": name}, "data": {"value": after}})
        elif self.random.random() < 0.2:
            request, after = ("DELETE", f"{CONFIG_MAPS}/{name}"), None
        else:
            request = ("PATCH", f"{CONFIG_MAPS}/{name}", {"data": {"value": after}})
        self.values[name] = {before, after}
        status, answer = exchange(connection, *request)
        assert status in (200, 201), (request, status, answer)
        self.values[name] = {after}
        if "resourceVersion" in answer["metadata"]:
            self.version = int(answer["metadata"]["resourceVersion"])


class DataFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "data"

    def start(self, **options):
        server = Server(self.path, **options)
        self.addCleanup(lambda: server.process.poll() is None and server.end(signal.SIGKILL))
        return server

    def test_a_killed_server_has_lost_no_acknowledged_write(self):
        seed = int(os.environ.get("PINTLE_SEED", time.time_ns() % 1_000_000))
        print(f"PINTLE_SEED={seed}")
        moments = random.Random(seed)
        writers = [Writer(seed * WRITERS + number) for number in range(WRITERS)]
        version = 0
        for kill in range(KILLS):
            server = self.start()
            version = self.check(server, writers, version, kill)
            threads = [threading.Thread(target=writer.run, args=(server,)) for writer in writers]
            for thread in threads:
                thread.start()
            threading.Event().wait(moments.uniform(0, 0.06))
            server.end(signal.SIGKILL)
            for thread in threads:
                thread.join()
        server = self.start()
        self.check(server, writers, version, KILLS)
        server.end(signal.SIGTERM)
        writes = sum(writer.writes for writer in writers)
        print(f"{KILLS} kills, {writes} writes")
        self.assertGreater(writes, KILLS)

    def check(self, server, writers, version, kill):
        """Compares the stored objects with those that were acknowledged. Returns the version of the server."""
        _, found = server.ask("GET", CONFIG_MAPS)
        stored = {item["metadata"]["name"]: item["data"]["value"] for item in found["items"]}
        for writer in writers:
            for name, possible in writer.values.items():
                self.assertIn(stored.get(name), possible, f"{name} after kill {kill}")
                writer.values[name] = {stored.get(name)}
        now = int(found["metadata"]["resourceVersion"])
        self.assertGreaterEqual(now, max([version] + [writer.version for writer in writers]), f"after kill {kill}")
        for item in found["items"]:
            self.assertLessEqual(int(item["metadata"]["resourceVersion"]), now)
        return now

    def test_a_write_that_does_not_fit_is_refused_and_has_no_effect(self):
        def small_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

        server = self.start(preexec_fn=small_disk)
        accepted, refused = set(), {}
        for number in range(30):
            name = f"c{number}"
            status, answer = server.ask("POST", CONFIG_MAPS,
                                        {"metadata": {"name": name}, "data": {"value": "x" * 100_000}})
            if status == 201:
                accepted.add(name)
            else:
                refused[name] = answer
        self.assertTrue(accepted and refused, (accepted, refused.keys()))
        for answer in refused.values():
            self.assertEqual((answer["code"], answer["reason"]), (500, "InternalError"))
            self.assertIn(f"the data file {self.path} cannot be written: ", answer["message"])
        items = server.ask("GET", CONFIG_MAPS)[1]["items"]
        self.assertEqual({item["metadata"]["name"] for item in items}, accepted)
        server.end(signal.SIGKILL)
        self.assertEqual(self.start().ask("GET", CONFIG_MAPS)[1]["items"], items)

    def test_the_reason_is_printed_if_the_file_cannot_be_used(self):
        server = self.start()
        self.assertEqual(self.refusal(self.path), f"pintle dev: --data: {self.path}: another server uses this file\n")
        server.end(signal.SIGTERM)
        text = self.path.with_name("text")
        text.write_text("apiVersion: v1\n" * 1000)
        self.assertEqual(self.refusal(text), f"pintle dev: --data: {text}: the file is not a data file of pintle\n")
        missing = self.path.with_name("none") / "data"
        self.assertEqual(self.refusal(missing), f"pintle dev: --data: {missing}: unable to open database file: No such "
                                                "file or directory\n")

    @staticmethod
    def refusal(path):
        done = subprocess.run([BIN / "pintle", "dev", "--data", path], capture_output=True, text=True, timeout=20)
        assert done.returncode == 1, done
        return done.stderr

    def test_a_server_that_ends_leaves_one_file(self):
        server = self.start()
        server.ask("POST", CONFIG_MAPS, {"metadata": {"name": "a"}})
        server.end(signal.SIGTERM)
        self.assertEqual([entry.name for entry in self.path.parent.iterdir()], ["data"])


if __name__ == "__main__":
    unittest.main()
