# SPDX-License-Identifier: Apache-2.0
"""The tests of testkit::TestEnvironment against the cluster of a kubeconfig, which is a `pintle dev --tls`.

usage: environment_test.py BIN_DIR
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

from programs import BIN, dev_server, kubectl

# They use virtual time, unless the variable selects a cluster.
SUITE = "*EnvironmentModes*/simulated"


class Environment(unittest.TestCase):
    def run_tests(self, variables):
        """Runs the suite. Returns the number of tests that passed."""
        done = subprocess.run([BIN / "pintle_testing_tests", f"--gtest_filter={SUITE}"], capture_output=True, text=True,
                              timeout=50, env={**os.environ, **variables})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.count("[       OK ]")

    def test_the_same_tests_run_in_a_cluster_and_leave_nothing_but_the_crd(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder) / "kubeconfig"
            with dev_server("--tls", "--token", "secret", "--kubeconfig", config):
                before = kubectl(config, "get", "namespaces", "-o", "name")
                passed = self.run_tests({"PINTLE_TEST_KUBECONFIG": str(config), "PINTLE_TEST_CONTEXT": "pintle"})
                self.assertGreater(passed, 10)
                self.assertEqual(kubectl(config, "get", "namespaces", "-o", "name"), before)
                # The operators of the tests have installed it in this cluster.
                self.assertIn("shelfs.shop.pintle.dev", kubectl(config, "get", "crds", "-o", "name"))
                self.assertEqual(kubectl(config, "get", "shelfs", "--all-namespaces", "-o", "name"), "")

    def test_a_cluster_that_cannot_be_reached_fails_the_tests(self):
        done = subprocess.run([BIN / "pintle_testing_tests", "--gtest_filter=*EnvironmentModes*.CreateObjectsFromYaml*"],
                              capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PINTLE_TEST_KUBECONFIG": "/missing/kubeconfig"})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("/missing/kubeconfig", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
