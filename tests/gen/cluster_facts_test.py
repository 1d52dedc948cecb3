# SPDX-License-Identifier: Apache-2.0
"""Tests the generators with --from-cluster, against a small API server in this process and with the kubectl on PATH.

usage: cluster_facts_test.py
"""
import contextlib
import copy
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTS = ROOT / "tests/data/k8s"
sys.path.insert(0, str(ROOT / "scripts"))

import cluster_facts  # noqa: E402


def fact(name):
    return json.loads((FACTS / f"{name}.json").read_text())


def status(code, message):
    return code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "message": message}


def wordy(schema):
    """A schema as a server publishes it, with descriptions."""
    if isinstance(schema, list):
        return [wordy(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: {name: wordy(field) for name, field in value.items()} if key == "properties" else
           value if key in ("default", "enum") else wordy(value) for key, value in schema.items()}
    return {"description": "Prose.", **out} if "type" in schema or "$ref" in schema or "properties" in schema else out


def schema_document(group, version, kind, schema_name):
    gvk = {"group": group, "version": version, "kind": kind}
    return {"openapi": "3.0.0", "paths": {}, "components": {"schemas": {
        schema_name: {"type": "object", "properties": {}, "x-kubernetes-group-version-kind": [gvk]},
        # Kubernetes publishes this schema in the document of every group.
        "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions": {
            "type": "object", "properties": {}, "x-kubernetes-group-version-kind": [{**gvk, "kind": "DeleteOptions"}]}}}}


class Server(http.server.ThreadingHTTPServer):
    """Serves the facts of tests/data/k8s as a kube-apiserver does, and also groups that do not belong to Kubernetes."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests = []
        self.overridden = {}  # path → status, body
        self.busy = 0         # number of requests that get 429
        self.arrived, self.open = threading.Event(), threading.Event()  # a request has arrived; responses may be sent
        self.open.set()
        self.documents = {path.stem.replace("_", "/"): self.published(json.loads(path.read_text()))
                          for path in (FACTS / "openapi").glob("*.json")}
        self.documents["apis/demo.example.com/v1"] = schema_document(
            "demo.example.com", "v1", "Widget", "com.example.demo.v1.Widget")
        self.documents["apis/gateway.networking.k8s.io/v1"] = schema_document(
            "gateway.networking.k8s.io", "v1", "Gateway", "io.k8s.networking.gateway.v1.Gateway")
        self.documents["apis/metrics.k8s.io/v1beta1"] = schema_document(
            "metrics.k8s.io", "v1beta1", "NodeMetrics", "io.k8s.metrics.pkg.apis.metrics.v1beta1.NodeMetrics")
        self.discovery = {f"/{root}": self.with_others(fact(f"discovery-{root}")) for root in ("api", "apis")}
        self.columns, self.selectors = fact("table-columns"), fact("field-selectors")
        self.resources = {path: f"{group}/{version} {kind}" if group else f"{version} {kind}"
                          for root in ("api", "apis")
                          for group, version, kind, path in cluster_facts.listable(fact(f"discovery-{root}"))}

    @staticmethod
    def published(document):
        out = copy.deepcopy(document)
        out["info"] = {"title": "Kubernetes", "version": "v1.36.2"}
        out["components"]["securitySchemes"] = {"BearerToken": {"type": "apiKey", "in": "header", "name": "authorization"}}
        out["components"]["schemas"] = {name: wordy(schema) for name, schema in out["components"]["schemas"].items()}
        for item in out["paths"].values():
            for operation in item.values():
                operation["description"] = "Prose."
                operation["responses"] = {"200": {"description": "OK"}}
            item["parameters"] = [{"name": "pretty", "in": "query", "description": "Prose."}]
        return out

    @staticmethod
    def with_others(discovered):
        for item in discovered["items"]:
            item["metadata"]["creationTimestamp"] = None  # as servers before 1.34 print it
        if discovered["items"][0]["metadata"].get("name"):
            for group, version in (("demo.example.com", "v1"), ("gateway.networking.k8s.io", "v1")):
                discovered["items"].append({"metadata": {"name": group}, "versions": [
                    {"version": version, "resources": [], "freshness": "Current"}]})
        return discovered

    def respond(self, target, accept):
        path, _, query = target.partition("?")
        self.arrived.set()
        self.open.wait(60)
        if self.busy > 0:
            self.busy -= 1
            return status(429, "too many requests")
        if path in self.overridden:
            return self.overridden[path]
        if path == "/version":
            return 200, {"gitVersion": "v1.36.2"}
        if path == "/openapi/v3":
            others = ("api", "apis", "apis/apps", "version", "openid/v1/jwks")
            return 200, {"paths": {key: {"serverRelativeURL": f"/openapi/v3/{key}?hash=ABC"}
                                   for key in [*others, *self.documents]}}
        if path.startswith("/openapi/v3/"):
            return 200, self.documents[path.removeprefix("/openapi/v3/")]
        if path in self.discovery:
            return 200, self.discovery[path] if "as=APIGroupDiscoveryList" in accept else {"kind": "APIGroupList"}
        return self.list(path.replace("/namespaces/default/", "/namespaces/{namespace}/"),
                         urllib.parse.parse_qs(query), accept)

    def list(self, path, query, accept):
        if path not in self.resources:
            return status(404, "the server could not find the requested resource")
        label = query["fieldSelector"][0].partition("=")[0]
        # The recorded labels cover only some kinds; for the others this server rejects every label.
        if "as=Table" not in accept:
            return (200, {"items": []}) if label in self.selectors.get(path, []) else \
                status(400, f"field label not supported: {label}")
        names = ("name", "type", "format", "priority")
        columns = [{**dict(zip(names, column)), "description": "Prose."} for column in self.columns[self.resources[path]]]
        return 200, {"kind": "Table", "columnDefinitions": columns, "rows": []}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append(self.path)
        code, body = self.server.respond(self.path, self.headers.get("Accept", ""))
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if code == 429:
            self.send_header("Retry-After", "0")
        self.end_headers()
        with contextlib.suppress(BrokenPipeError):
            self.wfile.write(text)

    def log_message(self, *_):
        pass


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.server = Server()
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.config = self.kubeconfig("config", f"http://127.0.0.1:{self.server.server_port}")

    def kubeconfig(self, name, address):
        """Writes a kubeconfig whose current context has no server; the context "fake" has the given address."""
        path = self.folder / name
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "nowhere",
            "clusters": [{"name": "fake", "cluster": {"server": address}},
                         {"name": "nowhere", "cluster": {"server": "http://127.0.0.1:1"}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": "me"}} for name in ("fake", "nowhere")],
            "users": [{"name": "me", "user": {}}]}))
        return path

    def run_script(self, name, *arguments, expect=0, **environment):
        done = subprocess.run([sys.executable, ROOT / "scripts" / name, *map(str, arguments)], capture_output=True, text=True,
                              timeout=120, env={**os.environ, **environment}, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def from_cluster(self, name, *arguments, **options):
        return self.run_script(name, "--from-cluster", "--kubeconfig", self.config, "--context", "fake", *arguments, **options)

    def fetch(self, **options):
        saved = self.folder / "fetched"
        saved.mkdir()
        with contextlib.redirect_stderr(io.StringIO()), cluster_facts.proxy(self.config, "fake") as cluster:
            cluster_facts.fetch(cluster, saved, **options)
        return saved


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*.json"))}


class Facts(Case):
    def test_have_the_shape_of_those_in_the_repository(self):
        recorded = {name: text for name, text in files_below(FACTS).items()
                    if name not in ("stored-objects.json", "table-rows.json")}

        fetched = files_below(self.fetch())

        self.assertEqual(sorted(fetched), sorted(recorded))
        for name, text in recorded.items():
            self.assertEqual(fetched[name], text, name)

        # No object is read: each list selects a value that no object has.
        lists = [target for target in self.server.requests
                 if re.match(r"/api/v1/|/apis/[^/]+/[^/]+/", target)]
        self.assertGreater(len(lists), 100)
        for target in lists:
            self.assertRegex(target, r"\?fieldSelector=[A-Za-z.0-9]+%3Dpintle-no-such-object&limit=1$")

    def test_include_selectable_labels_that_are_not_known_yet(self):
        path = "/apis/batch/v1/namespaces/{namespace}/jobs"
        self.server.selectors[path] += ["spec.suspend", "status.ready"]

        selectors = json.loads((self.fetch() / "field-selectors.json").read_text())

        self.assertEqual(selectors[path], ["metadata.name", "metadata.namespace", "status.successful", "spec.suspend",
                                           "status.ready"])

    def test_are_fetched_again_when_the_server_is_busy(self):
        self.server.busy = 3
        self.fetch(openapi_only=True)

    def test_do_not_need_an_aggregated_server_that_is_down(self):
        self.server.overridden["/openapi/v3/apis/metrics.k8s.io/v1beta1"] = 503, b"service unavailable\n"
        self.assertEqual(len(files_below(self.fetch(openapi_only=True))), 22)

    def test_keep_a_field_that_is_called_description(self):
        saved = self.fetch(openapi_only=True)
        document = json.loads((saved / "openapi/apis_scheduling.k8s.io_v1.json").read_text())
        fields = document["components"]["schemas"]["io.k8s.api.scheduling.v1.PriorityClass"]["properties"]
        self.assertEqual(fields["description"], {"type": "string"})


class Proxy(Case):
    def test_stops_with_its_user(self):
        with cluster_facts.proxy(self.config, "fake") as cluster:
            path = cluster.socket_path
            self.assertTrue(path.exists())
            self.assertEqual(path.parent.stat().st_mode & 0o777, 0o700)
            self.assertEqual(cluster.place, f'context "fake" (http://127.0.0.1:{self.server.server_port})')
        self.assertFalse(path.parent.exists())
        with self.assertRaises(cluster_facts.ClusterError):
            cluster.get("/version")

    def test_stops_when_the_script_is_terminated(self):
        number, bin_dir = self.folder / "pid", self.folder / "bin"
        bin_dir.mkdir()
        (bin_dir / "kubectl").write_text(f'#!/bin/sh\n[ "$5" != proxy ] || echo $$ >{number}\n'
                                         f'exec {shutil.which("kubectl")} "$@"\n')
        (bin_dir / "kubectl").chmod(0o755)
        self.server.open.clear()
        self.addCleanup(self.server.open.set)

        script = subprocess.Popen([sys.executable, ROOT / "scripts/generate-kinds", "--check", "--from-cluster",
                                   "--kubeconfig", self.config, "--context", "fake"],
                                  env={**os.environ, "PATH": f"{bin_dir}:{os.environ['PATH']}"})
        self.addCleanup(script.wait)
        self.assertTrue(self.server.arrived.wait(60))
        script.terminate()

        self.assertEqual(script.wait(60), 143)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(number.read_text()), 0)

    def test_rejects_writes(self):
        with cluster_facts.proxy(self.config, "fake") as cluster:
            for method in ("POST", "PUT", "PATCH", "DELETE"):
                connection = cluster_facts.UnixConnection(cluster.socket_path)
                self.addCleanup(connection.close)
                connection.request(method, "/api/v1/namespaces")
                self.assertEqual(connection.getresponse().status, 403, method)
        self.assertFalse(any("namespaces" in target for target in self.server.requests))


class GenerateKinds(Case):
    def test_finds_the_tables_of_the_repository_in_the_cluster_and_saves_the_facts(self):
        kept = self.folder / "kept"
        (kept / "openapi").mkdir(parents=True)
        for name in ("openapi/apis_gone.k8s.io_v1beta1.json", "openapi/README.md", "stored-objects.json"):
            (kept / name).write_text("old")

        said = self.from_cluster("generate-kinds", "--check", "--save", kept)

        self.assertIn(f'read 22 OpenAPI documents from context "fake" (http://127.0.0.1:{self.server.server_port}), '
                      "Kubernetes v1.36.2", said)
        self.assertFalse((kept / "openapi/apis_gone.k8s.io_v1beta1.json").exists())
        self.assertEqual((kept / "openapi/README.md").read_text(), "old")
        self.assertEqual((kept / "stored-objects.json").read_text(), "old")
        self.run_script("generate-kinds", "--check", kept)

    def test_saves_nothing_that_is_incomplete(self):
        kept = self.folder / "kept"
        self.server.overridden["/api/v1/nodes"] = status(403, "forbidden")
        self.from_cluster("generate-kinds", "--check", "--save", kept, expect=2)
        self.assertFalse(kept.exists())

    def test_finds_facts_that_differ(self):
        facts = shutil.copytree(FACTS, self.folder / "facts")
        self.server.columns["v1 Pod"].pop()
        (facts / "table-columns.json").write_text(json.dumps(self.server.columns))
        self.assertIn("kinds.cpp in src/apiserver/registry/table differ from the facts",
                      self.run_script("generate-kinds", "--check", facts, expect=1))

    def test_names_a_kind_without_a_schema(self):
        facts = shutil.copytree(FACTS, self.folder / "facts")
        (facts / "openapi/apis_node.k8s.io_v1.json").unlink()
        self.assertIn("the OpenAPI documents have no schema for node.k8s.io/v1/RuntimeClass",
                      self.run_script("generate-kinds", "--check", facts, expect=2))

    def test_refuses_options_that_contradict_each_other(self):
        for arguments, wanted in [
            (["--from-cluster", FACTS], "--from-cluster and the folder"),
            (["--context", "x"], "--context requires --from-cluster"),
            (["--kubeconfig", "x", FACTS], "--kubeconfig requires --from-cluster"),
            (["--save", "x"], "--save requires --from-cluster"),
            ([self.folder / "none"], f"no folder {self.folder / 'none'}"),
        ]:
            with self.subTest(wanted):
                self.assertIn(wanted, self.run_script("generate-kinds", "--check", *arguments, expect=2))


class GenerateApi(Case):
    def setUp(self):
        super().setUp()
        self.pintle = self.folder / "pintle"
        self.pintle.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        self.pintle.chmod(0o755)

    def test_passes_the_documents_of_the_cluster(self):
        kept, root = self.folder / "kept", self.folder / "root"
        said = self.from_cluster("generate-api", "--save", kept, root, PINTLE=str(self.pintle)).splitlines()

        names = sorted(path.name for path in (FACTS / "openapi").glob("*.json"))
        self.assertEqual([line.rpartition("/")[2] for line in said if line.endswith(".json")], names)
        self.assertEqual(said[:8], ["gen", "types", "--namespace", "pintle::api", "--out", f"{root}/include/pintle/api",
                                    "--sources", f"{root}/src/api"])
        self.assertEqual(files_below(kept), {f"openapi/{name}": (FACTS / "openapi" / name).read_text() for name in names})
        self.assertFalse(any(target.startswith("/api") for target in self.server.requests))

    def test_passes_the_documents_of_a_folder(self):
        said = self.run_script("generate-api", FACTS / "openapi", self.folder, PINTLE=str(self.pintle))
        self.assertEqual(said.count(".json"), 22)

    def test_refuses_options_that_contradict_each_other(self):
        for arguments, wanted in [
            ([], "a folder of OpenAPI documents or --from-cluster is required"),
            ([FACTS, self.folder, self.folder], "at most one ROOT"),
            (["--from-cluster", FACTS, self.folder], "at most one ROOT"),
            (["--context", "x", FACTS], "--context requires --from-cluster"),
            ([self.folder / "none"], f"no *.json in {self.folder / 'none'}"),
        ]:
            with self.subTest(wanted):
                self.assertIn(wanted, self.run_script("generate-api", *arguments, expect=2, PINTLE=str(self.pintle)))


class Failures(Case):
    def check(self, *parts, **options):
        said = self.from_cluster("generate-kinds", "--check", expect=2, **options)
        self.assertNotIn("Traceback", said)
        for part in parts:
            self.assertIn(part, said)

    def test_name_a_kubectl_that_is_missing(self):
        self.check("generate-kinds: kubectl is not on PATH; install it", PATH=str(self.folder))

    def test_name_a_kubeconfig_that_is_missing(self):
        self.config = self.folder / "none"
        self.check("kubectl proxy does not start", f"{self.folder / 'none'}: no such file", "check --kubeconfig")

    def test_name_a_context_that_is_missing(self):
        said = self.run_script("generate-kinds", "--check", "--from-cluster", "--kubeconfig", self.config, "--context", "other",
                               expect=2)
        self.assertIn('kubectl proxy does not start: context "other" does not exist', said)

    def test_name_a_server_that_does_not_respond(self):
        said = self.run_script("generate-kinds", "--check", "--from-cluster", "--kubeconfig", self.config, expect=2)
        self.assertIn('no API server responds at context "nowhere" (http://127.0.0.1:1)', said)
        self.assertIn("start the cluster, or name another one with --kubeconfig or --context", said)

    def test_name_a_list_that_is_denied(self):
        self.server.overridden["/api/v1/namespaces/default/secrets"] = status(403, 'secrets is forbidden: User "me"')
        self.check("GET /api/v1/namespaces/default/secrets?", '403: secrets is forbidden: User "me"',
                   "use a context whose user may list all built-in kinds")

    def test_name_credentials_that_are_not_accepted(self):
        self.server.overridden["/openapi/v3"] = status(401, "Unauthorized")
        self.check("GET /openapi/v3 from context", "401: Unauthorized", "log in again")

    def test_name_a_server_that_is_too_old(self):
        self.server.discovery["/apis"] = {"kind": "APIGroupList"}
        self.check("GET /apis from context", "Kubernetes 1.30 or newer")
        self.server.overridden["/openapi/v3"] = status(404, "the server could not find the requested resource")
        self.check("GET /openapi/v3 from context", "Kubernetes 1.30 or newer")

    def test_name_a_server_of_another_kind(self):
        self.server.overridden["/version"] = 200, b"<html>"
        self.check("GET /version from context", "the body is not JSON")


if __name__ == "__main__":
    unittest.main(verbosity=2)
