# SPDX-License-Identifier: Apache-2.0
"""The alert rules and the dashboard in monitoring/: they are valid, and use existing metrics only.

usage: monitoring_test.py     (needs promtool, of the package prometheus)
"""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "monitoring/alerts.yaml"
DASHBOARD = json.loads((ROOT / "monitoring/dashboard.json").read_text())
METRICS = set(re.findall(r"^\| `([a-z_]+)` \|", (ROOT / "docs/metrics.md").read_text(), re.M))


def promtool(*arguments):
    return subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True)


def metrics_in(query):
    """Returns the names of metrics: what a selector or a range follows, or what stands alone in an aggregation."""
    query = re.sub(r'"[^"]*"|\[[^\]]*\]', "", query)
    names = re.findall(r"[a-z_]+_[a-z_]+(?![a-z_(])", re.sub(r"(by|without) \([^)]*\)|\{[^}]*\}", "", query))
    return {re.sub("_(bucket|sum|count)$", "", name) for name in names}


class Monitoring(unittest.TestCase):
    def queries(self):
        for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]:
            yield rule["alert"], rule["expr"]
        for panel in DASHBOARD["panels"]:
            for target in panel["targets"]:
                yield panel["title"], target["expr"]

    def test_alerts_fire_when_they_should(self):
        done = promtool("check", "rules", RULES)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = promtool("test", "rules", ROOT / "tests/monitoring/alerts_test.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_healthy_operator_raises_no_alert(self):
        """The test of promtool names each alert."""
        tests = yaml.safe_load((ROOT / "tests/monitoring/alerts_test.yaml").read_text())["tests"]
        healthy = next(test for test in tests if test["name"] == "a healthy operator")
        self.assertEqual({one["alertname"] for one in healthy["alert_rule_test"]},
                         {name for name, _ in self.queries() if name.startswith("Pintle")})

    def test_queries_use_existing_metrics(self):
        self.assertGreater(len(METRICS), 60)
        for where, query in self.queries():
            used = metrics_in(query)
            self.assertTrue(used, f"{where}: {query}")
            self.assertLessEqual(used, METRICS, where)

    def test_the_queries_of_the_dashboard_are_valid(self):
        rules = [{"record": f"panel:{i}", "expr": query.replace("$__rate_interval", "5m").replace("$namespace", "ns")}
                 for i, (_, query) in enumerate(self.queries())]
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}, file)
            file.flush()
            done = promtool("check", "rules", file.name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_panels_do_not_overlap(self):
        taken = set()
        for panel in DASHBOARD["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24)
            taken |= cells
        self.assertEqual(len({panel["id"] for panel in DASHBOARD["panels"]}), len(DASHBOARD["panels"]))


if __name__ == "__main__":
    unittest.main(verbosity=1)
