# SPDX-License-Identifier: Apache-2.0
"""Reads the facts that the generators need from a running cluster, into a folder with the layout of tests/data/k8s.

The API server is reached through `kubectl proxy`, because `kubectl get --raw` cannot set the Accept header that
aggregated discovery and tables require. The proxy listens on a socket in a private folder, rejects methods that write,
and stops when the facts are read.

  openapi/api_v1.json, openapi/apis_apps_v1.json, ...   OpenAPI v3 documents, without descriptions and parameters
  discovery-api.json, discovery-apis.json               aggregated discovery (apidiscovery.k8s.io/v2)
  table-columns.json                                    "apps/v1 Deployment": [[name, type, format, priority], ...]
  field-selectors.json                                  path of a list: labels that a field selector may name

All files are limited to the groups of Kubernetes itself; groups of CRDs and of aggregated API servers are left out. No
object is transferred: each list request selects a value that no object has.
"""

import concurrent.futures
import contextlib
import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

JSON = "application/json"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
NO_OBJECT = "pintle-no-such-object"
REQUESTS_AT_ONCE = 8

# Schemas of Kubernetes itself. The name of a CRD's schema begins with its group reversed: io.k8s.networking.gateway.v1.
BUILT_IN = ("io.k8s.api.", "io.k8s.apiextensions-apiserver.pkg.apis.", "io.k8s.kube-aggregator.pkg.apis.")
METHODS = ("delete", "get", "head", "options", "patch", "post", "put")
KEPT_OF_A_METHOD = ("x-kubernetes-action", "x-kubernetes-group-version-kind")
# Labels known to be supported by some kind, in the order in which they are recorded; status.successful is not the path
# of a field. Other labels are found by the paths of a kind's fields.
KNOWN_LABELS = (
    "metadata.name", "metadata.namespace", "spec.clusterIP", "spec.nodeName", "spec.restartPolicy", "spec.schedulerName",
    "spec.serviceAccountName", "spec.hostNetwork", "spec.signerName", "spec.type", "spec.unschedulable", "status.phase",
    "status.podIP", "status.podIPs", "status.nominatedNodeName", "status.replicas", "status.successful",
    "involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
    "involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason",
    "reportingComponent", "source", "type", "regarding.kind", "regarding.name", "regarding.namespace",
    "reportingController",
)


class ClusterError(Exception):
    """The facts could not be read. The message has the cause, the place and a remedy; `status` is the HTTP code."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


# ---- the command line of a generator ---------------------------------------------------------------------------------


def add_options(parser):
    """Adds --from-cluster, --kubeconfig, --context and --save."""
    group = parser.add_argument_group("facts of a running cluster")
    group.add_argument("--from-cluster", action="store_true", help="read the facts from a cluster, through kubectl")
    group.add_argument("--kubeconfig", metavar="FILE", help="kubeconfig file (default: the one kubectl uses)")
    group.add_argument("--context", metavar="NAME", help="context of the kubeconfig (default: its current context)")
    group.add_argument("--save", metavar="DIR", type=Path, help="keep the facts that were read in DIR, for example "
                       "tests/data/k8s")


def check_options(parser, options, folder):
    """Ends the program with its usage if options contradict each other. `folder` is the folder of facts, if given."""
    if options.from_cluster and folder is not None:
        parser.error(f"--from-cluster and the folder {folder} exclude each other; give one of them")
    for name in ("kubeconfig", "context", "save"):
        if getattr(options, name) is not None and not options.from_cluster:
            parser.error(f"--{name} requires --from-cluster")


@contextlib.contextmanager
def fetched(options, openapi_only=False):
    """A temporary folder with the facts of the cluster that the options name; --save copies it once it is complete."""
    with tempfile.TemporaryDirectory(prefix="pintle-facts-") as name:
        folder = Path(name)
        with proxy(options.kubeconfig, options.context) as cluster:
            fetch(cluster, folder, openapi_only)
        if options.save is not None:
            save(folder, options.save)
        yield folder


def save(folder, to):
    """Copies the facts. OpenAPI documents in `to` that the cluster does not serve are removed; other files stay."""
    try:
        (to / "openapi").mkdir(parents=True, exist_ok=True)
        for old in [*to.glob("openapi/api_*.json"), *to.glob("openapi/apis_*.json")]:
            if not (folder / "openapi" / old.name).is_file():
                old.unlink()
        for path in folder.rglob("*.json"):
            shutil.copyfile(path, to / path.relative_to(folder))
    except OSError as error:
        raise ClusterError(f"--save {to}: {error.strerror}: {error.filename}; name a folder that can be written to") \
            from error


# ---- the cluster -----------------------------------------------------------------------------------------------------


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.unix_path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.unix_path)


class Cluster:
    """Requests to an API server through the socket of a kubectl proxy. May be used by several threads."""

    def __init__(self, socket_path, place):
        self.socket_path = socket_path
        self.place = place

    def get(self, path, accept=JSON):
        status, body = self.request(path, accept)
        if status != 200:
            raise self.error(path, status, body)
        try:
            return json.loads(body)
        except ValueError as error:
            raise ClusterError(f"GET {path} from {self.place}: the body is not JSON ({error}); "
                               "check that the kubeconfig names an API server") from error

    def supports(self, path):
        """False if the server refuses the request as malformed (400), as it does for an unsupported field selector."""
        status, body = self.request(path, JSON)
        if status not in (200, 400):
            raise self.error(path, status, body)
        return status == 200

    def request(self, path, accept):
        for attempt in range(5):
            connection = UnixConnection(self.socket_path)
            try:
                connection.request("GET", path, headers={"Accept": accept, "User-Agent": "pintle-cluster-facts"})
                response = connection.getresponse()
                body = response.read()
            except (OSError, http.client.HTTPException) as error:
                raise ClusterError(f"GET {path} from {self.place}: {error or type(error).__name__}; try again") from error
            finally:
                connection.close()
            if response.status != 429 or attempt == 4:
                return response.status, body
            after = response.getheader("Retry-After", "")
            time.sleep(min(int(after), 30) if after.isdigit() else 1)

    def error(self, path, status, body):
        text = body.decode("utf-8", "replace").strip()
        try:
            parsed = json.loads(text)
            message = parsed.get("message") if isinstance(parsed, dict) else None
        except ValueError:
            parsed, message = None, text.partition("\n")[0]
        detail = f"{status}: {message}" if message else str(status)
        if status in (500, 502, 504) and parsed is None:  # the proxy's own response
            return ClusterError(f"no API server responds at {self.place} ({message}); start the cluster, or name another "
                                "one with --kubeconfig or --context")
        if status == 401:
            remedy = "the credentials are not accepted; log in again, or name another context with --context"
        elif status == 403:
            remedy = "access is denied; use a context whose user may list all built-in kinds, such as a cluster admin"
        elif status == 404:
            remedy = "the server must be Kubernetes 1.30 or newer"
        else:
            remedy = "try again, or look into the log of the API server"
        return ClusterError(f"GET {path} from {self.place}: {detail}; {remedy}", status)


def place_of(kubectl):
    """Returns the context and the server, for messages."""
    done = subprocess.run([*kubectl, "config", "view", "--minify", "-o",
                           "jsonpath={.current-context} {.clusters[0].cluster.server}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    context, _, server = done.stdout.partition(" ")
    if done.returncode != 0 or not context:
        return "the default address of kubectl"
    return f'context "{context}" ({server})' if server else f'context "{context}"'


@contextlib.contextmanager
def proxy(kubeconfig=None, context=None):
    """Runs a kubectl proxy and yields the Cluster that it connects to."""
    program = shutil.which("kubectl")
    if program is None:
        raise ClusterError("kubectl is not on PATH; install it (scripts/setup does), or read the facts from a folder")
    kubectl = [program]
    kubectl += ["--kubeconfig", str(kubeconfig)] if kubeconfig is not None else []
    kubectl += ["--context", context] if context is not None else []

    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pintle-")))  # mode 0700
        log = stack.enter_context((folder / "log").open("w+"))
        # A proxy that outlives this program would leave the cluster open to other programs.
        stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, lambda *_: sys.exit(143)))
        process = stack.enter_context(subprocess.Popen(
            [*kubectl, "proxy", f"--unix-socket={folder / 'socket'}", "--reject-methods=^(POST|PUT|PATCH|DELETE)$"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True))
        stack.callback(stop, process)
        if not any(line.startswith("Starting to serve") for line in process.stdout):
            process.wait()
            log.seek(0)
            cause = log.read().strip().removeprefix("error: ") or f"exit status {process.returncode}"
            raise ClusterError(f"kubectl proxy does not start: {cause}; check --kubeconfig and --context")
        yield Cluster(folder / "socket", place_of(kubectl))


def stop(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


# ---- the facts -------------------------------------------------------------------------------------------------------


def fetch(cluster, folder, openapi_only=False):
    version = cluster.get("/version").get("gitVersion", "unknown")
    documents = openapi_documents(cluster)
    if not documents:
        raise ClusterError(f"{cluster.place} serves no OpenAPI v3 document of Kubernetes; check that the kubeconfig names "
                           "the API server of a cluster")
    (folder / "openapi").mkdir()
    for (group, served), document in documents.items():
        name = f"apis_{group}_{served}" if group else f"api_{served}"
        (folder / "openapi" / f"{name}.json").write_text(compact(document, sort_keys=True))
    print(f"read {len(documents)} OpenAPI documents from {cluster.place}, Kubernetes {version}", file=sys.stderr)
    if openapi_only:
        return

    resources = []
    for root in ("api", "apis"):
        discovered = discovery(cluster, f"/{root}", documents)
        (folder / f"discovery-{root}.json").write_text(compact(discovered) + "\n")
        resources += listable(discovered)
    with concurrent.futures.ThreadPoolExecutor(REQUESTS_AT_ONCE) as pool:
        columns = table_columns(cluster, resources, pool)
        selectors = field_selectors(cluster, resources, documents, pool)
    (folder / "table-columns.json").write_text(json.dumps(columns, indent=0))
    (folder / "field-selectors.json").write_text(json.dumps(selectors, indent=0))
    print(f"read discovery, columns and field selectors of {len(resources)} kinds", file=sys.stderr)


def compact(value, **options):
    return json.dumps(value, separators=(",", ":"), **options)


def openapi_documents(cluster):
    """Returns (group, version) → document, for the groups of Kubernetes itself."""
    out = {}
    for key, entry in cluster.get("/openapi/v3").get("paths", {}).items():
        found = re.fullmatch(r"api/(v1)|apis/([^/]+)/([^/]+)", key)
        if not found:
            continue
        group, version = found[2] or "", found[1] or found[3]
        if "." in group and not group.endswith(".k8s.io"):
            continue
        try:
            document = cluster.get(entry["serverRelativeURL"])
        except ClusterError as error:
            # An aggregated API server that is down; the API server itself serves all built-in documents.
            if error.status != 503:
                raise
            print(f"skipped {group}/{version}: {error}", file=sys.stderr)
            continue
        if is_built_in(document, group, version):
            out[group, version] = without_prose(document)
    return out


def kinds_of(document):
    """Yields (group, version, kind) and name of each schema that is a kind."""
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        for gvk in schema.get("x-kubernetes-group-version-kind", []):
            yield (gvk["group"], gvk["version"], gvk["kind"]), name


def is_built_in(document, group, version):
    return any(gvk[:2] == (group, version) and name.startswith(BUILT_IN) for gvk, name in kinds_of(document))


def without_prose(document):
    """Returns the schemas without descriptions, and the paths with only the action and kind of each method."""
    paths = {path: {method: {key: operation[key] for key in KEPT_OF_A_METHOD if key in operation}
                    for method, operation in item.items() if method in METHODS}
             for path, item in document.get("paths", {}).items()}
    schemas = {name: bare(schema) for name, schema in document["components"]["schemas"].items()}
    return {"components": {"schemas": schemas}, "openapi": document["openapi"], "paths": paths}


def bare(schema):
    if isinstance(schema, list):
        return [bare(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    out = {}
    for key, value in schema.items():
        if key == "properties":  # a field may have the name "description"
            out[key] = {name: bare(field) for name, field in value.items()}
        elif key in ("default", "enum", "example"):
            out[key] = value
        elif key != "description":
            out[key] = bare(value)
    return out


def discovery(cluster, path, documents):
    found = cluster.get(path, AGGREGATED)
    if found.get("kind") != "APIGroupDiscoveryList":
        raise ClusterError(f"GET {path} from {cluster.place}: the server does not serve aggregated discovery "
                           "(apidiscovery.k8s.io/v2); it must be Kubernetes 1.30 or newer")
    items = []
    for item in found["items"]:
        name = item["metadata"].get("name", "")
        versions = [version for version in item["versions"] if (name, version["version"]) in documents]
        if versions:
            items.append({**item, "metadata": {"name": name} if name else {}, "versions": versions})
    return {**found, "metadata": {}, "items": items}


def listable(discovered):
    """Yields group, version, kind and path of each resource that can be listed; {namespace} stands for a namespace."""
    for item in discovered["items"]:
        group = item["metadata"].get("name", "")
        for version in item["versions"]:
            root = f"/apis/{group}/{version['version']}" if group else f"/api/{version['version']}"
            for resource in version["resources"]:
                if "list" in resource["verbs"]:
                    middle = "/namespaces/{namespace}/" if resource["scope"] == "Namespaced" else "/"
                    yield group, version["version"], resource["responseKind"]["kind"], root + middle + resource["resource"]


def nothing_of(path, label):
    """Returns the target of a list request that selects no object, by this label."""
    return f"{path.replace('{namespace}', 'default')}?fieldSelector={label}%3D{NO_OBJECT}&limit=1"


def table_columns(cluster, resources, pool):
    def columns(resource):
        path = nothing_of(resource[3], "metadata.name")
        table = cluster.get(path, TABLE)
        if table.get("kind") != "Table":
            raise ClusterError(f"GET {path} from {cluster.place}: the server responds with a {table.get('kind')}, not with "
                               "a Table; check that the kubeconfig names the API server of a cluster")
        return [[column["name"], column["type"], column["format"], column["priority"]]
                for column in table["columnDefinitions"]]

    names = [f"{group}/{version} {kind}" if group else f"{version} {kind}" for group, version, kind, _ in resources]
    return dict(sorted(zip(names, pool.map(columns, resources))))


def field_selectors(cluster, resources, documents, pool):
    """Sends one request for each candidate, because no document lists the labels that the server supports."""
    asked = [(path, label) for group, version, kind, path in resources
             for label in candidates(documents[group, version], (group, version, kind))]
    supported = pool.map(lambda one: cluster.supports(nothing_of(*one)), asked)
    out = {}
    for (path, label), is_supported in zip(asked, supported):
        if is_supported:
            out.setdefault(path, []).append(label)
    return dict(sorted(out.items()))


def candidates(document, gvk):
    """Labels that a field selector of the kind may support: known ones, and the paths of its fields up to two names."""
    schemas = document["components"]["schemas"]
    name = next((name for found, name in kinds_of(document) if found == gvk), None)
    fields = fields_of(schemas.get(name, {}), schemas)
    paths = {first for first in fields if first not in ("apiVersion", "kind", "metadata", "spec", "status")}
    paths |= {f"{first}.{second}" for first, field in fields.items() if first != "metadata"
              for second in fields_of(field, schemas)}
    known = [label for label in KNOWN_LABELS if label.partition(".")[0] in {"metadata", *fields}]
    return known + sorted(paths.difference(known))


def fields_of(schema, schemas):
    for one in [schema, *schema.get("allOf", [])]:
        if "$ref" in one:
            schema = schemas[one["$ref"].rpartition("/")[2]]
    return schema.get("properties", {})
