# SPDX-License-Identifier: Apache-2.0
"""pintle dev --controllers with kubectl: rollouts, scaling and waiting, quotas, evictions, service accounts.

usage: controllers_test.py BIN_DIR
"""
import json
import pathlib
import tempfile
import unittest

from programs import dev_server, kubectl, wait_until, wait_until_gone

WORKLOADS = """
apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: i}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: c, image: i}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: bad}
spec:
  backoffLimit: 0
  template:
    metadata: {annotations: {pintle.dev/pod: fail after 100ms with 3}}
    spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
"""


class Controllers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.config = pathlib.Path(folder.name) / "kubeconfig"
        server = dev_server("--controllers", "--kubeconfig", self.config)
        server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)

    def kubectl(self, *arguments, **options):
        return kubectl(self.config, *arguments, **options)

    def test_a_deployment_is_rolled_out_scaled_and_rolled_back(self):
        self.kubectl("create", "deployment", "web", "--image=one", "--replicas=2")
        self.assertIn("successfully rolled out", self.kubectl("rollout", "status", "deployment/web", "--timeout=20s"))
        self.kubectl("wait", "--for=condition=Available", "deployment/web", "--timeout=20s")
        self.kubectl("wait", "--for=condition=Ready", "pod", "-l", "app=web", "--timeout=20s")
        self.kubectl("scale", "deployment", "web", "--replicas=4")
        self.kubectl("rollout", "status", "deployment/web", "--timeout=20s")
        self.assertEqual(self.kubectl("get", "deployment", "web", "--no-headers").split()[:4], ["web", "4/4", "4", "4"])
        self.kubectl("set", "image", "deployment/web", "one=two")
        self.kubectl("rollout", "status", "deployment/web", "--timeout=20s")
        self.assertEqual(self.images("app=web"), {"two"})
        self.kubectl("rollout", "undo", "deployment/web")
        self.kubectl("rollout", "status", "deployment/web", "--timeout=20s")
        self.assertEqual(self.images("app=web"), {"one"})
        self.assertIn("3", self.kubectl("rollout", "history", "deployment/web"))
        self.kubectl("expose", "deployment", "web", "--port=80")
        addresses = ("get", "endpoints", "web", "--ignore-not-found", "-o", "jsonpath={.subsets[0].addresses[*].ip}")
        wait_until("the service has 4 addresses", lambda: len(self.kubectl(*addresses).split()) == 4)
        self.kubectl("delete", "deployment", "web")
        wait_until_gone(self.config, "pods", "-l", "app=web")

    def images(self, selector):
        pods = json.loads(self.kubectl("get", "pods", "-l", selector, "-o", "json"))["items"]
        return {pod["spec"]["containers"][0]["image"] for pod in pods if "deletionTimestamp" not in pod["metadata"]}

    def test_the_other_workloads_are_rolled_out(self):
        self.kubectl("apply", "-f", "-", stdin=WORKLOADS)
        self.kubectl("rollout", "status", "statefulset/db", "--timeout=20s")
        self.kubectl("rollout", "status", "daemonset/agent", "--timeout=20s")
        self.kubectl("set", "image", "statefulset/db", "c=two")
        self.kubectl("rollout", "status", "statefulset/db", "--timeout=20s")
        self.assertEqual(self.images("app=db"), {"two"})
        self.kubectl("create", "job", "good", "--image=i")
        self.kubectl("wait", "--for=condition=Complete", "job/good", "--timeout=20s")
        self.kubectl("wait", "--for=condition=Failed", "job/bad", "--timeout=20s")
        self.assertEqual(self.kubectl("get", "pod", "-l", "job-name=bad", "--no-headers").split()[2], "Error")

    def test_a_quota_refuses_objects_beyond_it(self):
        self.kubectl("create", "quota", "few", "--hard=count/secrets=1,pods=2")
        self.kubectl("create", "secret", "generic", "one")
        refused = self.kubectl("create", "secret", "generic", "two", expect=1)
        self.assertIn('secrets "two" is forbidden: exceeded quota: few, requested: count/secrets=1, '
                      'used: count/secrets=1, limited: count/secrets=1', refused)
        self.kubectl("create", "deployment", "web", "--image=i", "--replicas=3")
        self.kubectl("wait", "--for=condition=ReplicaFailure", "deployment/web", "--timeout=20s")
        self.kubectl("scale", "deployment", "web", "--replicas=2")
        self.kubectl("rollout", "status", "deployment/web", "--timeout=20s")
        self.assertIn("pods: 2/2", self.kubectl("get", "quota", "few"))

    def test_an_eviction_waits_for_the_disruption_budget(self):
        template = {"metadata": {"labels": {"app": "web"}, "annotations": {"pintle.dev/pod": "ready after 1s"}},
                    "spec": {"containers": [{"name": "c", "image": "i"}]}}
        deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
                      "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template}}
        self.kubectl("apply", "-f", "-", stdin=json.dumps(deployment))
        self.kubectl("rollout", "status", "deployment/web", "--timeout=20s")
        budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"},
                  "spec": {"minAvailable": 2, "selector": {"matchLabels": {"app": "web"}}}}
        self.kubectl("apply", "-f", "-", stdin=json.dumps(budget))
        allowed = ("get", "pdb", "web", "-o", "jsonpath={.status.disruptionsAllowed}")
        wait_until("the budget has a status", lambda: self.kubectl(*allowed) == "0")
        pod = self.kubectl("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[0].metadata.name}")
        eviction = json.dumps({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod}})
        evict = ("create", "--raw", f"/api/v1/namespaces/default/pods/{pod}/eviction", "-f", "-")
        self.assertIn("disruption budget", self.kubectl(*evict, stdin=eviction, expect=1))
        self.kubectl("scale", "deployment", "web", "--replicas=3")
        self.kubectl(*evict, stdin=eviction, patience=20)
        wait_until_gone(self.config, "pod", pod)

    def test_each_namespace_has_an_account_with_tokens(self):
        self.kubectl("create", "namespace", "shop")
        account = ("get", "serviceaccount", "default", "-n", "shop", "--ignore-not-found", "-o", "name")
        wait_until("the account exists", lambda: self.kubectl(*account).strip() == "serviceaccount/default")
        request = json.dumps({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}})
        made = self.kubectl("create", "--raw", "/api/v1/namespaces/shop/serviceaccounts/default/token", "-f", "-",
                            stdin=request)
        self.assertEqual(json.loads(made)["status"]["token"].count("."), 2)
        secret = {"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/service-account-token",
                  "metadata": {"name": "old", "annotations": {"kubernetes.io/service-account.name": "default"}}}
        self.kubectl("apply", "-n", "shop", "-f", "-", stdin=json.dumps(secret))
        token = ("get", "secret", "old", "-n", "shop", "-o", "jsonpath={.data.token}")
        wait_until("the secret has a token", lambda: self.kubectl(*token) != "")
        self.kubectl("delete", "namespace", "shop", "--timeout=20s")


if __name__ == "__main__":
    unittest.main()
