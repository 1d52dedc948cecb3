# SPDX-License-Identifier: Apache-2.0
"""Every mode of pintle-bench against `pintle dev`: the fields of its result, and its errors for bad input.

usage: bench_test.py BIN_DIR     (the folder with pintle and pintle-bench)
"""
import contextlib
import http.server
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

from programs import BIN, dev_server, kubectl

CRDS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "pintle-bench" / "crds"


def command(mode, *arguments):
    return [BIN / "pintle-bench", mode, *map(str, arguments)]


class WithServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.config = cls.folder / "dev"
        cls.enterClassContext(dev_server("--kubeconfig", cls.config))
        kubectl(cls.config, "apply", "-f", CRDS)
        kubectl(cls.config, "wait", "--for=condition=Established", "crd", "--all")

    def bench(self, mode, *arguments):
        """Runs a mode to its end. Returns its result and its text on standard error."""
        done = subprocess.run(command(mode, "--kubeconfig", self.config, *arguments), capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(result.pop("mode"), mode)
        return result, done.stderr

    def begin(self, mode, *arguments):
        """Starts a mode that has a cache. Returns the process when the cache is filled."""
        process = subprocess.Popen(command(mode, "--kubeconfig", self.config, *arguments), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.assertEqual(process.stderr.readline(), "synced\n")
        return process

    def positive(self, result, *names):
        for name in names:
            self.assertGreater(result.pop(name), 0, name)

    def test_fill_sync_and_reset(self):
        result, _ = self.bench("fill", "--count", 60)
        self.positive(result, "total_s")
        self.assertEqual(result, {"kind": "widgets", "objects": 60})
        for form in "dynamic", "typed", "metadata":
            for how in "paged", "streaming":
                with self.subTest(form=form, list=how):
                    result, said = self.bench("sync", "--form", form, "--list", how, "--hold", "10ms")
                    self.assertEqual(said, "synced\n")
                    self.positive(result, "synced_s", "cpu_s", "rss_mb", "peak_mb", "settled_mb")
                    self.assertIsInstance(result.pop("bytes_per_object"), float)
                    self.assertEqual(result, {"kind": "widgets", "list": how, "objects": 60, "adds": 60})
        self.assertEqual(self.bench("sync", "--namespace", "n10k", "--hold", "10ms")[0]["objects"], 12)
        self.assertEqual(self.bench("reset")[0], {"kind": "widgets", "deleted": 60})
        self.assertEqual(self.bench("sync", "--hold", "10ms")[0]["objects"], 0)

    def test_waits_of_a_sync(self):
        self.bench("fill", "--namespace", "waits", "--count", 60)
        result, _ = self.bench("sync", "--namespace", "waits", "--waits", "--hold", "10ms")
        self.assertGreaterEqual(result["longest_io_wait_ms"], 0)  # 0: synced before a wait was measured
        self.assertLessEqual(result["longest_io_wait_cpu_ms"], result["longest_io_wait_ms"])

    def test_pods(self):
        self.bench("fill", "--kind", "pods", "--namespace", "pods", "--count", 30)
        for form in "dynamic", "typed", "metadata":
            with self.subTest(form=form):
                result, _ = self.bench("sync", "--kind", "pods", "--namespace", "pods", "--form", form, "--hold", "10ms")
                self.assertEqual((result["kind"], result["objects"], result["adds"]), ("pods", 30, 30))

    def test_latency_and_write(self):
        # One gadget for each value, so that no changes are merged.
        self.bench("fill", "--kind", "gadgets", "--namespace", "lat", "--count", 100)
        for form in "dynamic", "typed":
            with self.subTest(form=form):
                out = self.folder / form
                latency = self.begin("latency", "--namespace", "lat", "--form", form, "--count", 100, "--out", out)
                result, _ = self.bench("write", "--namespace", "lat", "--rate", 200, "--count", 100, "--out", out)
                times = [result.pop(name) for name in ("p50_ms", "p99_ms", "max_ms")]
                self.assertEqual(times, sorted(times))
                self.assertGreater(times[0], 0)
                times = [result.pop(f"after_answer_{name}") for name in ("p50_ms", "p99_ms", "max_ms")]
                self.assertEqual(times, sorted(times))
                per_s = result.pop("per_s")
                self.assertTrue(0 < per_s < 205, per_s)
                self.assertEqual(result, {"count": 100, "rate": 200, "missing": 0})
                text, said = latency.communicate(timeout=20)
                self.assertEqual((latency.returncode, said), (0, ""))
                result = json.loads(text)
                self.positive(result, "cpu_s", "rss_mb")
                self.assertEqual(result, {"mode": "latency", "count": 100})
                sent, noted = (times_in(file) for file in (f"{out}.sent", out))
                self.assertEqual(sorted(noted), list(range(100)))
                for sequence, at in noted.items():
                    self.assertGreater(at, sent[sequence])

    def test_a_value_that_was_there_before_is_not_noted(self):
        self.bench("fill", "--kind", "gadgets", "--namespace", "old", "--count", 3)
        old = {"metadata": {"annotations": {"bench.example.com/seq": "0/1"}}}
        kubectl(self.config, "-n", "old", "patch", "gadget", "w-000001", "--type=merge", "-p", json.dumps(old))
        out = self.folder / "old"
        latency = self.begin("latency", "--namespace", "old", "--count", 3, "--out", out)
        self.bench("write", "--namespace", "old", "--rate", 20, "--count", 3, "--out", out)
        latency.communicate(timeout=20)
        self.assertEqual(sorted(times_in(out)), [0, 1, 2])

    def test_throughput(self):
        for form in "dynamic", "typed":
            with self.subTest(form=form):
                self.bench("fill", "--kind", "gadgets", "--namespace", form, "--count", 30)
                result, said = self.bench("throughput", "--namespace", form, "--form", form)
                self.assertEqual(said, "synced\n")
                self.positive(result, "total_s", "per_s", "cpu_s")
                self.assertGreaterEqual(result.pop("reconciles"), 30)
                self.assertEqual(result, {"patched": 30, "failed": 0})
                gadgets = json.loads(kubectl(self.config, "-n", form, "get", "gadgets", "-o", "json"))["items"]
                self.assertEqual([one["status"] for one in gadgets], 30 * [{"observedGeneration": 1}])
                result, _ = self.bench("throughput", "--namespace", form)
                self.assertEqual((result["patched"], result["total_s"]), (0, 0))

    def test_soak(self):
        self.bench("fill", "--kind", "gadgets", "--namespace", "soak", "--count", 20)
        result, said = self.bench("soak", "--namespace", "soak", "--rate", 200, "--hold", "1s")
        self.assertEqual(said, "synced\n")
        self.positive(result, "start_mb", "tenth_mb", "end_mb", "cpu_s")
        # The changes of one object that wait for the handler merge.
        self.assertLessEqual(result["delivered"], 200)
        self.assertGreater(result.pop("delivered"), 20)
        self.assertEqual(result, {"rate": 200, "hold_s": 1, "written": 200, "different_at_end": 0})

    def test_idle(self):
        result, said = self.bench("idle", "--namespace", "none", "--hold", "100ms")
        self.assertIn("a watched namespace does not exist", said)
        self.assertEqual(said.splitlines()[-1], "synced")
        self.positive(result, "rss_mb", "private_dirty_mb")
        self.assertGreaterEqual(result.pop("cpu_s"), 0)
        self.assertEqual(result, {"kind": "widgets"})

    def test_an_interrupt_ends_a_mode(self):
        for mode, *arguments in (("latency", "--out", self.folder / "never"), ("sync", "--hold", "1h"),
                                 ("idle", "--hold", "1h")):
            with self.subTest(mode):
                process = self.begin(mode, *arguments)
                process.send_signal(signal.SIGINT)
                text, said = process.communicate(timeout=10)
                self.assertEqual((process.returncode, text), (130, ""))
                self.assertIn("interrupted", said)

    def test_an_interrupt_ends_what_writes(self):
        self.bench("fill", "--kind", "gadgets", "--namespace", "slow", "--count", 1)
        out = self.folder / "slow"
        for arguments, begun in ((["fill", "--kind", "gadgets", "--namespace", "many", "--count", 10_000_000],
                                  lambda: "w-" in kubectl(self.config, "-n", "many", "get", "gadgets", "-o", "name")),
                                 (["write", "--namespace", "slow", "--rate", 1, "--out", out],
                                  pathlib.Path(f"{out}.sent").exists)):
            with self.subTest(arguments[0]):
                process = subprocess.Popen(command(*arguments, "--kubeconfig", self.config), stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True)
                self.addCleanup(process.kill)
                while not begun():
                    self.assertIsNone(process.poll())
                process.send_signal(signal.SIGINT)
                text, said = process.communicate(timeout=10)
                self.assertEqual((process.returncode, text, said.count("interrupted")), (130, "", 1), said)

    def test_write_without_gadgets(self):
        done = subprocess.run(command("write", "--kubeconfig", self.config, "--namespace", "none", "--out", "x"),
                              capture_output=True, text=True, timeout=60, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("fill --kind gadgets", done.stderr)


class WithoutServer(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_alone(self, *arguments):
        return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=60, check=False,
                              env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"})

    def refused(self, arguments, *parts):
        """Checks that the program ends with code 2 and prints one line that contains all these parts."""
        done = self.run_alone(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("pintle-bench: "), done.stderr)
        for part in parts:
            self.assertIn(str(part), done.stderr)

    def kubeconfig(self, port):
        file = self.folder / "kubeconfig"
        file.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
            "clusters": [{"name": "k", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
            "users": [{"name": "u", "user": {}}]}))
        return file

    def test_what_a_sync_asks_for(self):
        for form, how, target, accept in (
                ("dynamic", "paged", "limit=500", "application/json"),
                ("dynamic", "streaming", "sendInitialEvents=true", "application/json"),
                ("metadata", "paged", "limit=500", "as=PartialObjectMetadataList;"),
                ("metadata", "streaming", "sendInitialEvents=true", "as=PartialObjectMetadata;")):
            with self.subTest(form=form, list=how), recorder() as (port, asked):
                arguments = ("--kubeconfig", self.kubeconfig(port), "--form", form, "--list", how)
                process = subprocess.Popen(command("sync", *arguments), stderr=subprocess.DEVNULL)
                with asked:
                    self.assertTrue(asked.wait_for(lambda: asked.reads, 20))
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(20), 130)
                self.assertIn(target, asked.reads[0].path)
                self.assertIn(accept, asked.reads[0].headers["Accept"])

    def test_store(self):
        result = json.loads(self.run_alone("store", "--count", 50, "--hold", "50ms").stdout)
        runs = result.pop("runs")
        lists = result.pop("lists_by_owner")
        self.assertEqual((lists.pop("objects"), lists.pop("found")), (50, 50))
        for name, value in (lists | {"bytes_per_object": result.pop("bytes_per_object")}).items():
            self.assertGreater(value, 0, name)
        self.assertEqual(result, {"mode": "store", "kind": "widgets", "objects": 50})
        ways = [(run.pop("readers"), run.pop("reading"), run.pop("writing")) for run in runs]
        in_order = [(readers, "range", "in order") for readers in (0, 1, 10, 80)]
        scattered = [(readers, "range", "scattered") for readers in (0, 10)]
        self.assertEqual(ways, [*in_order, *scattered, (10, "copy", "in order")])
        for (readers, _, _), run in zip(ways, runs):
            self.assertEqual(set(run), {"writes_per_cpu_s", "writes_per_s", "lists_per_s"})
            if readers == 0:
                self.assertEqual(run.pop("lists_per_s"), 0)
            for name, value in run.items():
                self.assertGreater(value, 0, name)

    def test_queue(self):
        result = json.loads(self.run_alone("queue", "--count", 2000).stdout)
        self.assertEqual((result.pop("mode"), result.pop("keys")), ("queue", 2000))
        self.assertEqual(set(result), {"fill_per_s", "drain_per_s", "in_out_per_s", "mixed_per_s", "cpu_s", "peak_mb"})
        for name, value in result.items():
            self.assertGreater(value, 0, name)

    def test_admission(self):
        for form in "dynamic", "typed":
            with self.subTest(form=form):
                done = self.run_alone("admission", "--form", form, "--hold", "200ms", "--concurrency", 3)
                self.assertEqual(done.returncode, 0, done.stderr)
                result = json.loads(done.stdout)
                for name in "p50_ms", "p99_ms", "max_ms", "cpu_us_per_request", "client_cpu_us_per_request":
                    self.assertGreater(result.pop(name), 0, name)
                self.assertEqual(result, {"mode": "admission", "requests": 40, "per_s": 200})
        self.refused(["admission", "--form", "metadata"], "--form")

    def test_rows_of_the_server(self):
        done = subprocess.run([BIN / "pintle_apiserver_bench", "--benchmark_filter=stored:200|fan_out",
                               "--benchmark_format=json", "--benchmark_min_time=0.01"],
                              capture_output=True, text=True, timeout=60, check=True)
        rows = json.loads(done.stdout)["benchmarks"]
        self.assertEqual([(row["name"], row.get("error_message")) for row in rows],
                         [("list_some_of/one_namespace/stored:200", None), ("list_some_of/one_page/stored:200", None),
                          ("fan_out/of_a_small_object", None), ("fan_out/of_a_pod", None)])

    def test_wrong_flags(self):
        self.refused(["fil"], '"fil"', "fill, reset, sync")
        self.refused([""], "there is no mode", "fill, reset, sync")
        self.refused(["sync", "--rate", 5], "--rate", "sync --help")
        self.refused(["write", "--rate", 0, "--out", "x"], "--rate", "0", "1 to 100000")
        self.refused(["write"], "--out", "write --help")
        self.refused(["queue", "--count", 0], "--count", "queue --help")
        self.refused(["queue", "--count", "many"], "--count", "many")
        self.refused(["sync", "--kind", "nodes"], "--kind", "nodes", "gadgets")
        self.refused(["sync", "--list", "some"], "--list", "streaming")
        self.refused(["sync", "--hold", "5"], "--hold", '"5"', "500ms")
        self.refused(["throughput", "--form", "metadata"], "--form", "sync")

    def test_no_server(self):
        self.refused(["sync"], "KUBECONFIG")
        self.refused(["sync", "--kubeconfig", self.folder / "none"], self.folder / "none")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        file = self.kubeconfig(port)
        for mode in "sync", "idle", "throughput":
            with self.subTest(mode):
                self.refused([mode, "--kubeconfig", file], f"127.0.0.1:{port}")

    def test_a_kind_that_the_server_lacks(self):
        config = self.folder / "dev"
        with dev_server("--kubeconfig", config):
            for mode, *arguments in (("fill",), ("sync",), ("idle",), ("soak",), ("throughput",), ("throughput", "--form", "typed"),
                                     ("write", "--out", self.folder / "x"), ("latency", "--out", self.folder / "x")):
                with self.subTest(mode):
                    self.refused([mode, "--kubeconfig", config, *arguments], "bench.example.com", "CustomResourceDefinition",
                                 "benchmarks/pintle-bench/crds")

    def test_an_out_that_cannot_be_written(self):
        out = self.folder / "none" / "out"
        self.refused(["latency", "--out", out], "--out", out, "No such file")

    def test_help_lists_the_modes_and_their_flags(self):
        self.assertIn("throughput", self.run_alone("--help").stdout)
        text = self.run_alone("sync", "--help").stdout
        self.assertIn("--list", text)
        self.assertNotIn("--rate", text)


@contextlib.contextmanager
def recorder():
    """Runs a server that has widgets but fails to list and watch them. Yields its port and a condition with `reads`."""
    asked = threading.Condition()
    asked.reads = []

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            widgets = {"name": "widgets", "kind": "Widget", "namespaced": True, "verbs": ["list", "watch"]}
            discovers = not self.path.startswith("/apis/bench.example.com/v1/widgets")
            if not discovers:  # before the response, because another read may follow it at once
                with asked:
                    asked.reads.append(self)
                    asked.notify()
            body = json.dumps({"kind": "APIResourceList", "groupVersion": "bench.example.com/v1", "resources": [widgets]})
            self.send_response(200 if discovers else 500)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.handle_error = lambda *_: None
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port, asked
        finally:
            server.shutdown()
            thread.join()


def times_in(file):
    """Returns the lines SEQ<TAB>UNIX_NS of a file."""
    lines = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    return {int(sequence): int(at) for sequence, at in (line.split("\t") for line in lines)}


if __name__ == "__main__":
    unittest.main(verbosity=1)
