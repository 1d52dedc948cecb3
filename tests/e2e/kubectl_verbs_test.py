# SPDX-License-Identifier: Apache-2.0
"""Every verb of kubectl against pintle dev, on built-in kinds: the output of kubectl 1.20 and later.

usage: kubectl_verbs_test.py BIN_DIR     (KUBECTL names another kubectl than the one on PATH)
"""
import contextlib
import gzip
import json
import os
import pathlib
import re
import ssl
import subprocess
import tempfile
import unittest
import urllib.request

from programs import dev_server, kubectl

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: main, image: "nginx:1", ports: [{containerPort: 80, name: http}]}
      - {name: side, image: "busybox:1", env: [{name: MODE, value: "on"}]}
"""
AVAILABLE = {"observedGeneration": 1, "replicas": 2, "updatedReplicas": 2, "readyReplicas": 2, "availableReplicas": 2,
             "conditions": [{"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable", "message": "ok",
                             "lastTransitionTime": "2026-01-01T00:00:00Z", "lastUpdateTime": "2026-01-01T00:00:00Z"}]}
DEFINITION = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ships.sea.dev}
spec:
  group: sea.dev
  scope: Namespaced
  names: {plural: ships, kind: Ship, shortNames: [sh]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {masts: {type: integer, description: How many it carries.}}}
"""


def config_map(name, data="{a: '1'}", owner=None):
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n"
    if owner:
        text += (f"  ownerReferences: [{{apiVersion: v1, kind: ConfigMap, name: {owner['name']}, uid: {owner['uid']}, "
                 "blockOwnerDeletion: true}]\n")
    return text + f"data: {data}\n"


class Verbs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.config = cls.folder / "kubeconfig"
        server = dev_server("--kubeconfig", cls.config)
        server.__enter__()
        cls.addClassCleanup(server.__exit__, None, None, None)
        cls.environment = {"HOME": folder.name}  # kubectl must not use what it has cached of another server
        version = json.loads(kubectl(cls.config, "version", "--client", "-o", "json"))["clientVersion"]
        cls.minor = int(re.match(r"\d+", version["minor"])[0])

    def setUp(self):
        self.namespace = self._testMethodName.replace("_", "-")[:63].rstrip("-")
        self.kubectl("create", "namespace", self.namespace)

    def kubectl(self, *arguments, **options):
        return kubectl(self.config, "-n", self.namespace, *arguments, environment=self.environment, **options)

    def apply(self, text, *arguments, **options):
        return self.kubectl("apply", "-f", "-", *arguments, stdin=text, **options)

    def field(self, what, name, path):
        return self.kubectl("get", what, name, "-o", f"jsonpath={{{path}}}")

    def patch(self, kind, patch, what="deployment/web", **options):
        return self.kubectl("patch", what, "--type", kind, "-p", json.dumps(patch), **options)

    def write_status(self, status):
        """Writes the status as a controller does. kubectl has an option for this only since 1.24."""
        path = f"/apis/apps/v1/namespaces/{self.namespace}/deployments/web"
        whole = json.loads(self.kubectl("get", "--raw", path))
        self.kubectl("replace", "--raw", path + "/status", "-f", "-", stdin=json.dumps({**whole, "status": status}))

    @contextlib.contextmanager
    def running(self, *arguments):
        """Runs kubectl in the background."""
        command = [os.environ.get("KUBECTL", "kubectl"), "--kubeconfig", self.config, "-n", self.namespace, *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **self.environment}) as process:
            try:
                yield process
            finally:
                process.kill()

    def test_get_in_every_form(self):
        self.apply(DEPLOYMENT)
        self.assertRegex(self.kubectl("get", "deploy"), r"NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0/2 +0 +0 +\d+s")
        self.assertRegex(self.kubectl("get", "deploy", "-o", "wide"),
                         r"AGE +CONTAINERS +IMAGES +SELECTOR\n.* main,side +nginx:1,busybox:1 +app=web")
        listed = json.loads(self.kubectl("get", "deploy", "-o", "json"))
        first = listed["items"][0]
        self.assertEqual(("List", "Deployment", "apps/v1"), (listed["kind"], first["kind"], first["apiVersion"]))
        self.assertIn("- image: nginx:1\n", self.kubectl("get", "deploy", "web", "-o", "yaml"))
        self.assertEqual("nginx:1 busybox:1", self.field("deploy", "web", ".spec.template.spec.containers[*].image"))
        self.assertEqual("deployment.apps/web\n", self.kubectl("get", "deploy", "-l", "app in (web)", "-o", "name"))
        self.assertRegex(self.kubectl("get", "deploy", "-o", "custom-columns=N:.metadata.name,R:.spec.replicas"),
                         r"N +R\nweb +2\n")
        self.assertEqual("2", self.kubectl("get", "deploy", "web", "-o", "go-template={{.spec.replicas}}"))
        self.assertRegex(self.kubectl("get", "deploy", "--show-labels", "-L", "app"), r"web +app=web")
        self.assertIn("deployment.apps/web", self.kubectl("get", "all"))
        self.assertRegex(self.kubectl("get", "ns", "--sort-by=.metadata.name"), r"default +Active")

    def test_create_without_a_file(self):
        """These commands send protobuf, whatever the content type of the responses."""
        created = [
            "deployment web --image=nginx:1 --replicas=2", "serviceaccount reader", "service clusterip inner --tcp=80:8080",
            "service nodeport outer --tcp=80", "service externalname other --external-name=db.example.com",
            "job once --image=busybox:1 -- true", "role reader --verb=get --resource=pods",
            "rolebinding reader --role=reader --serviceaccount=default:reader", "quota few --hard=pods=10,cpu=500m",
            "secret generic hidden --from-literal=word=sesame", "configmap words --from-literal=greeting=hello",
            "ingress web --rule=example.com/a=inner:80",
        ]
        if self.minor >= 21:  # older versions request beta versions
            created += ["cronjob often --image=busybox:1 --schedule=0/5_*_*_*_*",
                        "poddisruptionbudget web --selector=app=web --min-available=50%"]
        for command in created:
            with self.subTest(command):
                words = [word.replace("_", " ") for word in command.split(" ")]
                name = words[2] if words[0] in ("service", "secret") else words[1]
                self.assertRegex(self.kubectl("create", *words), f"/{name} created")
        self.kubectl("autoscale", "deployment", "web", "--max=3")
        self.assertEqual("2 nginx:1 RollingUpdate", self.kubectl(
            "get", "deploy", "web", "-o",
            "jsonpath={.spec.replicas} {.spec.template.spec.containers[0].image} {.spec.strategy.type}"))
        self.assertEqual("8080", self.field("service", "inner", ".spec.ports[0].targetPort"))
        self.assertEqual("500m", self.field("quota", "few", ".spec.hard.cpu"))
        self.assertEqual("c2VzYW1l", self.field("secret", "hidden", ".data.word"))
        self.assertEqual('["true"]', self.field("job", "once", ".spec.template.spec.containers[0].command"))
        self.assertEqual("3", self.field("hpa", "web", ".spec.maxReplicas"))
        if self.minor >= 21:
            self.assertEqual("50%", self.field("pdb", "web", ".spec.minAvailable"))
            self.assertEqual("0/5 * * * *", self.field("cronjob", "often", ".spec.schedule"))

    def test_describe(self):
        self.apply(DEPLOYMENT)
        about = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "namespace": self.namespace,
                 "uid": self.field("deploy", "web", ".metadata.uid")}
        event = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "web.1"}, "involvedObject": about,
                 "type": "Normal", "reason": "Seen", "message": "a sail"}
        self.kubectl("create", "-f", "-", stdin=json.dumps(event))
        described = self.kubectl("describe", "deployment", "web")
        self.assertRegex(described, r"Replicas: +2 desired")
        self.assertRegex(described, r"Image: +nginx:1")
        self.assertRegex(described, r"Seen .*a sail")
        self.assertRegex(self.kubectl("get", "events"), r"Normal +Seen +deployment/web +a sail")
        self.assertRegex(self.kubectl("describe", "namespace", self.namespace), r"Status: +Active")

    def test_edit_with_an_editor(self):
        self.apply(DEPLOYMENT)
        editor = self.folder / "editor"
        editor.write_text("#!/bin/sh\nsed -i 's/nginx:1/nginx:2/' \"$1\"\n")
        editor.chmod(0o755)
        self.environment = {**self.environment, "EDITOR": str(editor), "KUBE_EDITOR": ""}
        self.assertIn("edited", self.kubectl("edit", "deployment", "web"))
        self.assertEqual("nginx:2 busybox:1", self.field("deploy", "web", ".spec.template.spec.containers[*].image"))

    def test_patch_of_each_type(self):
        self.apply(DEPLOYMENT)
        containers = ".spec.template.spec.containers[*]"
        pod = lambda list_: {"spec": {"template": {"spec": {"containers": list_}}}}
        self.patch("strategic", pod([{"name": "main", "image": "nginx:2"}]))
        self.assertEqual("nginx:2 busybox:1", self.field("deploy", "web", containers + ".image"))
        self.patch("strategic", pod([{"name": "side", "$patch": "delete"}]))
        self.assertEqual("main", self.field("deploy", "web", containers + ".name"))
        self.patch("merge", pod([{"name": "only", "image": "redis"}]))
        self.assertEqual("only", self.field("deploy", "web", containers + ".name"))
        replicas = lambda op, value: {"op": op, "path": "/spec/replicas", "value": value}
        self.patch("json", [replicas("test", 2), replicas("replace", 5)])
        self.assertEqual("5", self.field("deploy", "web", ".spec.replicas"))
        self.assertIn("Invalid", self.patch("json", [replicas("replace", -1)], expect=1))
        self.patch("json", [replicas("test", 2)], expect=1)
        self.assertIn("no change", self.patch("merge", {"spec": {"replicas": 5}}))

    def test_label_and_annotate(self):
        self.apply(config_map("one"))
        self.kubectl("label", "configmap", "one", "team=red", "tier=1")
        self.assertIn("overwrite", self.kubectl("label", "configmap", "one", "team=blue", expect=1))
        self.kubectl("label", "configmap", "one", "team=blue", "tier-", "--overwrite")
        self.assertEqual({"team": "blue"}, json.loads(self.field("configmap", "one", ".metadata.labels")))
        self.kubectl("annotate", "configmap", "--all", "note=a b")
        self.assertEqual("a b", self.field("configmap", "one", ".metadata.annotations.note"))
        self.assertIn("63 bytes", self.patch("merge", {"metadata": {"labels": {"a": "x" * 64}}}, "configmap/one", expect=1))

    def test_scale(self):
        self.apply(DEPLOYMENT)
        scale = lambda *how, **options: self.kubectl("scale", "deployment", "web", *how, **options)
        scale("--replicas=3", "--current-replicas=2")
        self.assertEqual("3", self.field("deploy", "web", ".spec.replicas"))
        self.assertIn("Expected replicas to be 2", scale("--replicas=1", "--current-replicas=2", expect=1))
        scale("--replicas=0")
        self.assertEqual("0", self.field("deploy", "web", ".spec.replicas"))

    def delete_owner(self, cascade):
        self.apply(config_map("owner"))
        owner = {"name": "owner", "uid": self.field("configmap", "owner", ".metadata.uid")}
        self.apply(config_map("dependent", owner=owner))
        self.assertIn("deleted", self.kubectl("delete", "configmap", "owner", f"--cascade={cascade}", "--timeout=20s"))
        self.assertIn("NotFound", self.kubectl("get", "configmap", "owner", expect=1))

    def test_delete_in_the_background(self):
        self.delete_owner("background")
        self.kubectl("get", "configmap", "dependent", expect=1, patience=10)

    def test_delete_in_the_foreground(self):
        self.delete_owner("foreground")
        self.assertIn("NotFound", self.kubectl("get", "configmap", "dependent", expect=1))

    def test_delete_with_orphans(self):
        self.delete_owner("orphan")
        self.assertEqual("", self.field("configmap", "dependent", ".metadata.ownerReferences"))

    def test_delete_by_label_and_of_a_namespace(self):
        self.apply(config_map("a") + "---\n" + config_map("b"))
        self.kubectl("label", "configmap", "a", "x=y")
        self.kubectl("delete", "configmap", "-l", "x=y")
        self.assertEqual("configmap/b\n", self.kubectl("get", "configmap", "-o", "name"))
        self.kubectl("delete", "namespace", self.namespace, "--timeout=20s")
        self.assertIn("NotFound", self.kubectl("get", "configmap", "b", expect=1))

    def test_delete_a_pod_on_a_node(self):
        pod = ("apiVersion: v1\nkind: Pod\nmetadata: {name: NAME, finalizers: [HELD]}\nspec:\n  nodeName: n1\n"
               "  containers: [{name: c, image: 'i:1'}]\n")
        for name, *how in (["usual"], ["now", "--now"], ["short", "--grace-period=1"],
                           ["forced", "--force", "--grace-period=0"]):
            self.apply(pod.replace("NAME", name).replace("HELD", ""))
            self.assertIn(name, self.kubectl("delete", "pod", name, "--timeout=20s", *how))
            self.assertNotIn(name, self.kubectl("get", "pods", "-o", "name"))
        self.apply(pod.replace("NAME", "held").replace("HELD", "x.dev/f"))
        self.kubectl("delete", "pod", "held", "--wait=false")
        self.assertRegex(self.kubectl("get", "pods"), r"held .*Terminating")
        self.kubectl("patch", "pod", "held", "--type=merge", "-p", '{"metadata":{"finalizers":null}}')
        self.assertIn("NotFound", self.kubectl("get", "pod", "held", expect=1, patience=10))

    def test_wait_for_a_condition(self):
        self.apply(DEPLOYMENT)
        available = ("wait", "--for=condition=Available", "deployment/web")
        self.assertIn("timed out", self.kubectl(*available, "--timeout=100ms", expect=1))
        with self.running(*available, "--timeout=20s") as wait:
            self.write_status(AVAILABLE)
            self.assertIn("condition met", wait.stdout.read())
            self.assertEqual(0, wait.wait(20))

    def test_rollout(self):
        self.apply(DEPLOYMENT)
        with self.running("rollout", "status", "deployment/web", "--timeout=20s") as rollout:
            self.assertIn("Waiting for deployment", rollout.stdout.readline())
            self.write_status(AVAILABLE)
            self.assertIn("successfully rolled out", rollout.stdout.read())
            self.assertEqual(0, rollout.wait(20))
        self.kubectl("rollout", "restart", "deployment/web")
        self.assertRegex(self.field("deploy", "web", ".spec.template.metadata.annotations"), "restartedAt")
        self.kubectl("set", "image", "deployment/web", "main=nginx:3")
        self.assertEqual("nginx:3 busybox:1", self.field("deploy", "web", ".spec.template.spec.containers[*].image"))
        self.kubectl("rollout", "pause", "deployment/web")
        self.assertEqual("true", self.field("deploy", "web", ".spec.paused"))

    def test_explain(self):
        containers = self.kubectl("explain", "pods.spec.containers")
        self.assertRegex(containers, r"(?s)KIND: +Pod.*VERSION: +v1.*containers.*image\s+<string>.*ports\s+<\[\]\w+>")
        self.assertRegex(self.kubectl("explain", "deployment.spec", "--recursive"),
                         r"(?s)strategy.*maxSurge.*containerPort\s+<integer>")
        self.assertIn("targetCPUUtilizationPercentage", self.kubectl("explain", "hpa.spec", "--api-version=autoscaling/v1"))
        self.assertRegex(self.kubectl("explain", "crd.spec.versions.schema.openAPIV3Schema"), "additionalProperties")
        self.assertIn("does not exist", self.kubectl("explain", "pods.spec.nonsense", expect=1))
        if self.minor >= 27:
            old = self.kubectl("explain", "pods.spec.containers", "--output=plaintext-openapiv2")
            self.assertRegex(old, r"RESOURCE: containers <\[\]Object>(.|\n)*image\t<string>")

    def test_explain_follows_a_definition(self):
        self.apply(DEFINITION)
        self.kubectl("wait", "--for=condition=Established", "crd/ships.sea.dev", "--timeout=20s")
        self.assertIn("How many it carries.", self.kubectl("explain", "ships.spec", patience=20))
        self.apply(DEFINITION.replace("it carries", "it has"))
        for _ in range(100):
            if "How many it has." in (seen := self.kubectl("explain", "ships.spec")):
                break
        self.assertIn("How many it has.", seen)
        ship = "apiVersion: sea.dev/v1\nkind: Ship\nmetadata: {name: a}\nspec: {masts: three}\n"
        self.assertIn("masts", self.apply(ship, expect=1))

    def test_apply_refuses_what_the_schema_does_not_know(self):
        refused = self.apply(DEPLOYMENT.replace("replicas:", "replicaz:"), "--validate=true", expect=1)
        self.assertRegex(refused, r'unknown field "(spec\.)?replicaz"')
        self.assertRegex(self.apply(DEPLOYMENT.replace("replicas: 2", "replicas: two"), expect=1), "spec.replicas")
        self.assertIn("created", self.apply(DEPLOYMENT, "--validate=true"))
        self.assertIn("(server dry run)", self.apply(DEPLOYMENT.replace("nginx:1", "nginx:2"), "--dry-run=server"))
        self.assertEqual("nginx:1", self.field("deploy", "web", ".spec.template.spec.containers[0].image"))

    def test_diff(self):
        self.assertRegex(self.kubectl("diff", "-f", "-", stdin=DEPLOYMENT, expect=1), r"\+kind: Deployment")
        self.apply(DEPLOYMENT)
        self.assertEqual("", self.kubectl("diff", "-f", "-", stdin=DEPLOYMENT))
        changed = DEPLOYMENT.replace("nginx:1", "nginx:2")
        shown = self.kubectl("diff", "-f", "-", stdin=changed, expect=1)
        self.assertEqual(["-      - image: nginx:1", "+      - image: nginx:2"], re.findall(r"^[-+] .*image.*", shown, re.M))
        shown = self.kubectl("diff", "--server-side", "--force-conflicts", "-f", "-", stdin=changed, expect=1)
        self.assertRegex(shown, r"\+ +- image: nginx:2")

    def test_api_resources(self):
        named = self.kubectl("api-resources", "-o", "name").split()
        for one in ("pods", "deployments.apps", "leases.coordination.k8s.io", "customresourcedefinitions.apiextensions.k8s.io"):
            self.assertIn(one, named)
        self.assertRegex(self.kubectl("api-resources", "--api-group=apps", "-o", "wide"),
                         r"deployments +deploy +apps/v1 +true +Deployment +\[?create")
        self.assertNotIn("nodes\n", self.kubectl("api-resources", "--namespaced=true", "-o", "name"))
        self.assertIn("apps/v1\n", self.kubectl("api-versions"))

    def test_apply_on_the_server_finds_conflicts(self):
        def apply(manager, data, *more, **options):
            return self.apply(config_map("shared", data), "--server-side", "--field-manager", manager, *more, **options)

        self.assertIn("serverside-applied", apply("red", "{a: '1', b: '1'}"))
        refused = apply("blue", "{a: '2'}", expect=1)
        self.assertRegex(refused, r'conflict with "red".*\.data\.a')
        self.assertEqual("1", self.field("configmap", "shared", ".data.a"))
        apply("blue", "{a: '2'}", "--force-conflicts")
        apply("red", "{b: '1'}")
        self.assertEqual({"a": "2", "b": "1"}, json.loads(self.field("configmap", "shared", ".data")))
        apply("red", "{}")
        self.assertEqual({"a": "2"}, json.loads(self.field("configmap", "shared", ".data")))

    def test_watch(self):
        self.apply(config_map("one"))
        with self.running("get", "configmap", "-w", "--output-watch-events", "--field-selector=metadata.name=one") as watch:
            self.assertRegex(watch.stdout.readline(), r"EVENT +NAME +DATA +AGE")
            self.assertRegex(watch.stdout.readline(), r"ADDED +one +1 ")
            self.apply(config_map("one", "{a: '1', b: '2'}"))
            self.assertRegex(watch.stdout.readline(), r"MODIFIED +one +2 ")
            self.kubectl("delete", "configmap", "one")
            self.assertRegex(watch.stdout.readline(), r"DELETED +one +2 ")

    def test_create_and_replace(self):
        self.kubectl("create", "configmap", "made", "--from-literal=a=1")
        self.assertIn("already exists", self.kubectl("create", "configmap", "made", expect=1))
        self.kubectl("create", "secret", "generic", "hidden", "--from-literal=a=1")
        self.assertEqual("MQ==", self.field("secret", "hidden", ".data.a"))
        self.kubectl("replace", "-f", "-", stdin=config_map("made", "{b: '2'}"))
        self.assertEqual({"b": "2"}, json.loads(self.field("configmap", "made", ".data")))
        self.kubectl("replace", "--force", "-f", "-", stdin=config_map("made", "{c: '3'}"))
        self.assertEqual({"c": "3"}, json.loads(self.field("configmap", "made", ".data")))
        self.assertIn("NotFound", self.kubectl("replace", "-f", "-", stdin=config_map("none"), expect=1))

    def test_cordon_and_taint_a_node(self):
        self.apply(f"apiVersion: v1\nkind: Node\nmetadata: {{name: {self.namespace}}}\n")
        self.kubectl("cordon", self.namespace)
        self.kubectl("taint", "node", self.namespace, "a=b:NoSchedule")
        self.assertEqual("true", self.field("node", self.namespace, ".spec.unschedulable"))
        taints = json.loads(self.field("node", self.namespace, ".spec.taints"))
        self.assertIn({"key": "a", "value": "b", "effect": "NoSchedule"}, taints)
        self.kubectl("uncordon", self.namespace)
        self.assertEqual("", self.field("node", self.namespace, ".spec.unschedulable"))


class Access(unittest.TestCase):
    def test_a_client_certificate_is_asked_for_and_names_the_user(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder) / "kubeconfig"
            with dev_server("--tls", "--client-certificate", "--kubeconfig", config) as url:
                review = kubectl(config, "create", "-f", "-", "-o", "json", stdin=json.dumps(
                    {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}))
                user = json.loads(review)["status"]["userInfo"]
                self.assertEqual(("pintle", ["system:masters", "system:authenticated"]), (user["username"], user["groups"]))
                with self.assertRaises(OSError):
                    urllib.request.urlopen(url + "/version", context=ssl._create_unverified_context(), timeout=20).read()

    def test_large_lists_are_compressed_for_those_who_ask(self):
        with dev_server() as url:
            body = json.dumps({"metadata": {"name": "large"}, "data": {"text": "x" * 300_000}}).encode()
            maps = url + "/api/v1/namespaces/default/configmaps"
            urllib.request.urlopen(urllib.request.Request(maps, body, {"Content-Type": "application/json"}), timeout=20).close()
            with urllib.request.urlopen(maps, timeout=20) as whole, urllib.request.urlopen(
                    urllib.request.Request(maps, headers={"Accept-Encoding": "gzip"}), timeout=20) as smaller:
                self.assertEqual("gzip", smaller.headers["Content-Encoding"])
                self.assertEqual(whole.read(), gzip.decompress(smaller.read()))


if __name__ == "__main__":
    unittest.main(verbosity=1)
