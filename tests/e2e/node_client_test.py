# SPDX-License-Identifier: Apache-2.0
"""@kubernetes/client-node against pintle dev. The tests themselves are in node_client/client_test.js.

usage: node_client_test.py BIN_DIR     (the client is installed beside BIN_DIR, once)
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from programs import BIN, dev_server

SOURCE = pathlib.Path(__file__).resolve().parent / "node_client"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(0)


def install(folder):
    """Installs the versions of package-lock.json, from the registry that npm is configured for. Runs no scripts."""
    lock = (SOURCE / "package-lock.json").read_bytes()
    done = folder / "installed"
    if done.is_file() and done.read_bytes() == lock:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(SOURCE / name, folder)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000"]
    try:
        npm = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        skip("npm did not install @kubernetes/client-node within a minute")
    if npm.returncode != 0:
        errors = [line for line in npm.stderr.splitlines() if not line.startswith("npm warn")]
        skip(f"npm cannot install @kubernetes/client-node: {errors[0] if errors else npm.returncode}")
    done.write_bytes(lock)


def main():
    for program in ("node", "npm"):
        if not shutil.which(program):
            skip(f"{program} is not on PATH")
    folder = BIN.parent / "node_client"
    install(folder)
    shutil.copy(SOURCE / "client_test.js", folder)
    with tempfile.TemporaryDirectory() as temporary:
        config = pathlib.Path(temporary) / "kubeconfig"
        with dev_server("--tls", "--token", "secret", "--kubeconfig", config):
            environment = {**os.environ, "KUBECONFIG": str(config)}
            node = subprocess.run(["node", "--test", "client_test.js"], cwd=folder, timeout=90, env=environment)
    sys.exit(node.returncode)


main()
