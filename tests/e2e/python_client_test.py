# SPDX-License-Identifier: Apache-2.0
"""Debian's python3-kubernetes against pintle dev: the typed and the dynamic client, watches, leader election.

usage: python_client_test.py BIN_DIR
"""
import base64
import datetime
import json
import logging
import os
import pathlib
import sys
import tempfile
import threading
import unittest

try:
    from kubernetes import client, config, dynamic, watch
except ImportError:
    debian = "/usr/bin/python3"  # has Debian's packages, whichever Python is first on PATH
    if sys.executable != debian and os.access(debian, os.X_OK):
        os.execv(debian, [debian, *sys.argv])
    print("skipped: python3-kubernetes is not installed")
    sys.exit(0)

from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic.exceptions import ConflictError, NotFoundError
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.configmaplock import ConfigMapLock

from programs import dev_server

DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "ships.sea.dev"},
    "spec": {"group": "sea.dev", "scope": "Namespaced", "names": {"plural": "ships", "kind": "Ship"}, "versions": [
        {"name": "v1", "served": True, "storage": True, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": {
            "type": "object", "properties": {
                "spec": {"type": "object", "properties": {"masts": {"type": "integer"}}},
                "status": {"type": "object", "properties": {"afloat": {"type": "boolean"}}}}}}}]}}


def config_map(name, **data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data=data)


def deployment(name):
    labels = {"app": name}
    ports = [client.V1ContainerPort(container_port=80)]
    pod = client.V1PodSpec(containers=[client.V1Container(name="main", image="nginx:1", ports=ports)])
    return client.V1Deployment(metadata=client.V1ObjectMeta(name=name), spec=client.V1DeploymentSpec(
        replicas=2, selector=client.V1LabelSelector(match_labels=labels),
        template=client.V1PodTemplateSpec(metadata=client.V1ObjectMeta(labels=labels), spec=pod)))


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        server = dev_server("--tls", "--token", "secret", "--kubeconfig", cls.folder / "kubeconfig")
        server.__enter__()
        cls.addClassCleanup(server.__exit__, None, None, None)
        config.load_kube_config(str(cls.folder / "kubeconfig"))
        cls.core = client.CoreV1Api()
        cls.apps = client.AppsV1Api()
        client.ApiextensionsV1Api().create_custom_resource_definition(DEFINITION)

    def setUp(self):
        self.namespace = self._testMethodName.replace("_", "-")[:63].rstrip("-")
        self.core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=self.namespace)))

    def refused(self, status, call, *arguments, **options):
        with self.assertRaises(ApiException) as caught:
            call(*arguments, **options)
        self.assertEqual(status, caught.exception.status)

    def wait_for(self, what):
        """Returns the result of `what` when it is true, within 20 seconds."""
        for _ in range(400):
            if got := what():
                return got
            threading.Event().wait(0.05)
        self.fail(f"{what} did not come true")

    def served(self, call):
        """Returns the result of a call when the server no longer responds with 404."""
        def attempt():
            try:
                return call()
            except (ApiException, NotFoundError) as refused:
                if refused.status != 404:
                    raise
        return self.wait_for(attempt)

    # ---- typed

    def test_config_maps_from_birth_to_death(self):
        made = self.core.create_namespaced_config_map(self.namespace, config_map("one", a="1"))
        self.assertIsInstance(made.metadata.creation_timestamp, datetime.datetime)
        self.refused(409, self.core.create_namespaced_config_map, self.namespace, config_map("one"))
        made.data["b"] = "2"
        replaced = self.core.replace_namespaced_config_map("one", self.namespace, made)
        self.refused(409, self.core.replace_namespaced_config_map, "one", self.namespace, made)  # `made` is outdated now
        self.assertEqual({"a": "1", "b": "2"}, replaced.data)
        patched = self.core.patch_namespaced_config_map("one", self.namespace, {"data": {"a": None}})
        self.assertEqual({"b": "2"}, patched.data)
        self.assertEqual("Success", self.core.delete_namespaced_config_map("one", self.namespace).status)
        self.refused(404, self.core.read_namespaced_config_map, "one", self.namespace)

    def test_lists_come_in_pages(self):
        for name in "abcde":
            self.core.create_namespaced_config_map(self.namespace, config_map(name))
        names, more = [], None
        while more != "":
            page = self.core.list_namespaced_config_map(self.namespace, limit=2, _continue=more)
            names.append([one.metadata.name for one in page.items])
            more = page.metadata._continue or ""
        self.assertEqual([["a", "b"], ["c", "d"], ["e"]], names)
        selector = f"metadata.namespace={self.namespace},metadata.name!=a"
        self.assertEqual(4, len(self.core.list_config_map_for_all_namespaces(field_selector=selector).items))

    def test_deployments_and_their_parts(self):
        made = self.apps.create_namespaced_deployment(self.namespace, deployment("web"))
        self.assertEqual("RollingUpdate", made.spec.strategy.type)
        scale = self.apps.read_namespaced_deployment_scale("web", self.namespace)
        scale.spec.replicas = 5
        self.assertEqual(5, self.apps.replace_namespaced_deployment_scale("web", self.namespace, scale).spec.replicas)
        now = self.apps.read_namespaced_deployment("web", self.namespace)
        now.status = client.V1DeploymentStatus(replicas=5, ready_replicas=4, observed_generation=now.metadata.generation)
        self.apps.replace_namespaced_deployment_status("web", self.namespace, now)
        self.assertEqual((5, 4), (self.apps.read_namespaced_deployment("web", self.namespace).spec.replicas,
                                  self.apps.read_namespaced_deployment_status("web", self.namespace).status.ready_replicas))
        more = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "busybox"}]}}}}
        patched = self.apps.patch_namespaced_deployment("web", self.namespace, more)
        self.assertEqual({"main", "side"}, {one.name for one in patched.spec.template.spec.containers})
        removal = {"op": "remove", "path": "/spec/template/spec/containers/1"}
        patched = self.apps.patch_namespaced_deployment("web", self.namespace, [removal])
        self.assertEqual(1, len(patched.spec.template.spec.containers))
        bad = deployment("bad")
        bad.spec.selector.match_labels = {"app": "other"}
        self.refused(422, self.apps.create_namespaced_deployment, self.namespace, bad)
        self.apps.delete_namespaced_deployment("web", self.namespace, propagation_policy="Foreground")
        self.wait_for(lambda: not self.apps.list_namespaced_deployment(self.namespace).items)

    def test_pods_secrets_leases_and_events(self):
        pod = client.V1Pod(metadata=client.V1ObjectMeta(name="p"), spec=deployment("x").spec.template.spec)
        self.core.create_namespaced_pod(self.namespace, pod)
        bound = client.V1Binding(metadata=client.V1ObjectMeta(name="p"), target=client.V1ObjectReference(kind="Node", name="n"))
        self.core.create_namespaced_pod_binding("p", self.namespace, bound, _preload_content=False)
        on_node = self.core.list_namespaced_pod(self.namespace, field_selector="spec.nodeName=n").items
        self.assertEqual(["p"], [one.metadata.name for one in on_node])
        self.refused(501, self.core.read_namespaced_pod_log, "p", self.namespace)
        secret = client.V1Secret(metadata=client.V1ObjectMeta(name="s"), string_data={"a": "ä"})
        self.assertEqual("ä", base64.b64decode(self.core.create_namespaced_secret(self.namespace, secret).data["a"]).decode())
        now = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, datetime.timezone.utc)
        spec = client.V1LeaseSpec(holder_identity="me", renew_time=now)
        lease = client.V1Lease(metadata=client.V1ObjectMeta(name="l"), spec=spec)
        self.assertEqual(now, client.CoordinationV1Api().create_namespaced_lease(self.namespace, lease).spec.renew_time)
        about = client.V1ObjectReference(kind="Pod", name="p", namespace=self.namespace)
        self.core.create_namespaced_event(self.namespace, client.CoreV1Event(
            metadata=client.V1ObjectMeta(name="e"), involved_object=about, reason="Seen", message="a sail", type="Normal"))
        events = self.core.list_namespaced_event(self.namespace, field_selector="involvedObject.name=p").items
        self.assertEqual("a sail", events[0].message)

    def test_custom_objects(self):
        custom = client.CustomObjectsApi()
        kind = ("sea.dev", "v1", self.namespace, "ships")
        ship = {"apiVersion": "sea.dev/v1", "kind": "Ship", "metadata": {"name": "a"}, "spec": {"masts": 2},
                "status": {"afloat": True}}
        made = self.served(lambda: custom.create_namespaced_custom_object(*kind, ship))
        self.assertNotIn("status", made)
        custom.patch_namespaced_custom_object_status(*kind, "a", {"status": {"afloat": True}})
        self.assertTrue(custom.get_namespaced_custom_object(*kind, "a")["status"]["afloat"])
        self.refused(422, custom.patch_namespaced_custom_object, *kind, "a", {"spec": {"masts": "three"}})
        self.assertEqual(1, len(custom.list_namespaced_custom_object(*kind)["items"]))
        custom.delete_namespaced_custom_object(*kind, "a")

    def test_discovery(self):
        self.assertIn("apps", [group.name for group in client.ApisApi().get_api_versions().groups])
        self.assertIn("deployments/scale", [one.name for one in self.apps.get_api_resources().resources])
        self.assertEqual("1", client.VersionApi().get_code().major)
        may = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(
            resource_attributes=client.V1ResourceAttributes(verb="list", resource="pods")))
        self.assertTrue(client.AuthorizationV1Api().create_self_subject_access_review(may).status.allowed)

    def test_a_wrong_token_is_refused(self):
        settings = client.Configuration.get_default_copy()
        settings.api_key = {"authorization": "Bearer wrong"}
        self.refused(401, client.CoreV1Api(client.ApiClient(settings)).list_namespace)

    # ---- dynamic

    def test_the_dynamic_client(self):
        some = dynamic.DynamicClient(client.ApiClient(), cache_file=str(self.folder / "discovery"))
        maps = some.resources.get(api_version="v1", kind="ConfigMap")
        here = {"namespace": self.namespace}
        maps.create(body={"metadata": {"name": "a"}, "data": {"x": "1"}}, **here)
        self.assertEqual("1", maps.get(name="a", **here).data.x)
        self.assertEqual("2", maps.patch(body={"metadata": {"name": "a"}, "data": {"x": "2"}}, **here).data.x)
        change = {"metadata": {"name": "a"}, "data": {"x": None, "y": "3"}}
        merged = maps.patch(body=change, content_type="application/merge-patch+json", **here)
        self.assertEqual({"y": "3"}, merged.to_dict()["data"])
        # A string, because this version of the client encodes no other body of this type.
        applied = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"y": "4"}})
        with self.assertRaises(ConflictError):
            maps.server_side_apply(name="a", body=applied, field_manager="me", **here)
        forced = maps.server_side_apply(name="a", body=applied, field_manager="me", force_conflicts=True, **here)
        self.assertEqual("4", forced.data.y)
        self.assertEqual(["a"], [one.metadata.name for one in maps.get(field_selector="metadata.name=a", **here).items])
        maps.delete(name="a", **here)
        with self.assertRaises(NotFoundError):
            maps.get(name="a", **here)

    def test_the_dynamic_client_finds_custom_kinds(self):
        self.served(lambda: client.CustomObjectsApi().list_cluster_custom_object("sea.dev", "v1", "ships"))
        some = dynamic.DynamicClient(client.ApiClient(), cache_file=str(self.folder / "custom"))
        ships = some.resources.get(api_version="sea.dev/v1", kind="Ship")
        ship = {"apiVersion": "sea.dev/v1", "kind": "Ship", "metadata": {"name": "a"}, "spec": {"masts": 3}}
        ships.create(body=ship, namespace=self.namespace)
        status = {"metadata": {"name": "a"}, "status": {"afloat": False}}
        done = ships.status.patch(body=status, namespace=self.namespace, content_type="application/merge-patch+json")
        self.assertEqual((3, False), (done.spec.masts, done.status.afloat))

    # ---- watches

    def events(self, count, version, **options):
        """Returns the next events after a version, and the version from which to continue."""
        watcher, seen = watch.Watch(), []
        for event in watcher.stream(self.core.list_namespaced_config_map, self.namespace, resource_version=version,
                                    timeout_seconds=20, **options):
            seen.append((event["type"], event["object"].metadata.name))
            if len(seen) == count:
                watcher.stop()
        return seen, watcher.resource_version

    def test_a_watch_goes_on_where_it_was(self):
        start = self.core.list_namespaced_config_map(self.namespace).metadata.resource_version
        self.core.create_namespaced_config_map(self.namespace, config_map("a"))
        self.core.create_namespaced_config_map(self.namespace, config_map("b"))
        first, version = self.events(2, start)
        self.assertEqual([("ADDED", "a"), ("ADDED", "b")], first)
        self.core.patch_namespaced_config_map("a", self.namespace, {"data": {"x": "y"}})
        self.core.delete_namespaced_config_map("b", self.namespace)
        rest, _ = self.events(2, version)
        self.assertEqual([("MODIFIED", "a"), ("DELETED", "b")], rest)
        self.assertEqual([*first, *rest], self.events(4, start)[0])
        self.assertEqual([("ADDED", "a")], self.events(1, 0)[0])

    def test_a_watch_ends_in_time_and_selects(self):
        version = self.core.list_namespaced_config_map(self.namespace).metadata.resource_version
        quiet = watch.Watch().stream(self.core.list_namespaced_config_map, self.namespace, resource_version=version,
                                     timeout_seconds=1)
        self.assertEqual([], list(quiet))
        self.core.create_namespaced_config_map(self.namespace, config_map("a"))
        labelled = {"metadata": {"labels": {"in": "yes"}}}
        self.core.patch_namespaced_config_map("a", self.namespace, labelled)
        self.core.patch_namespaced_config_map("a", self.namespace, {"metadata": {"labels": {"in": None}}})
        self.assertEqual([("ADDED", "a"), ("DELETED", "a")], self.events(2, version, label_selector="in=yes")[0])

    def test_the_dynamic_client_watches(self):
        some = dynamic.DynamicClient(client.ApiClient(), cache_file=str(self.folder / "watching"))
        maps = some.resources.get(api_version="v1", kind="ConfigMap")
        version = maps.get(namespace=self.namespace).metadata.resourceVersion
        self.core.create_namespaced_config_map(self.namespace, config_map("a", x="1"))
        for event in maps.watch(namespace=self.namespace, resource_version=version, timeout=20):
            self.assertEqual(("ADDED", "1"), (event["type"], event["object"].data.x))
            break

    # ---- leader election

    def test_leaders_follow_each_other(self):
        candidates = {name: Candidate(name, self.namespace) for name in ("red", "blue")}
        candidates["red"].start()
        self.assertTrue(candidates["red"].leads.wait(20))
        candidates["blue"].start()
        self.wait_for(lambda: candidates["blue"].lock.looked >= 2)
        self.assertFalse(candidates["blue"].leads.is_set())
        candidates["red"].lock.cut_off = True
        self.assertTrue(candidates["red"].gave_up.wait(20))
        self.assertTrue(candidates["blue"].leads.wait(20))
        self.assertIn('"holderIdentity": "blue"', next(iter(
            self.core.read_namespaced_config_map("lock", self.namespace).metadata.annotations.values())))
        candidates["blue"].lock.cut_off = True
        for one in candidates.values():
            one.join(20)
            self.assertFalse(one.is_alive())


class Lock(ConfigMapLock):
    cut_off = False  # as if the network were gone
    looked = 0

    def get(self, *arguments):
        self.looked += 1
        return super().get(*arguments)

    def update(self, *arguments):
        return not self.cut_off and super().update(*arguments)


class Candidate(threading.Thread):
    def __init__(self, name, namespace):
        super().__init__(daemon=True)
        self.leads, self.gave_up = threading.Event(), threading.Event()
        self.lock = Lock("lock", namespace, name)
        # The client accepts no shorter times. The lease is longer, so that it is not lost on a busy machine.
        self.election = leaderelection.LeaderElection(electionconfig.Config(
            self.lock, lease_duration=4, renew_deadline=1.3, retry_period=1, onstarted_leading=self.leads.set,
            onstopped_leading=self.gave_up.set))

    def run(self):
        self.election.run()


if __name__ == "__main__":
    logging.getLogger().setLevel(logging.WARNING)
    unittest.main(verbosity=1, warnings="ignore")  # the client leaves its connections to the garbage collector
