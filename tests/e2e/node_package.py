# SPDX-License-Identifier: Apache-2.0
"""Runs a test of a client from npm, client_test.js in a folder of its own, against pintle dev."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from programs import BIN, dev_server


def skip(why):
    print(f"skipped: {why}")
    sys.exit(0)


def install(source, folder):
    """Installs the versions of package-lock.json, from the registry that npm is configured for. Runs no scripts."""
    lock = (source / "package-lock.json").read_bytes()
    done = folder / "installed"
    if done.is_file() and done.read_bytes() == lock:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(source / name, folder)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional", "--fetch-retries=1",
               "--fetch-timeout=20000"]
    try:
        npm = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        skip(f"npm did not install the packages of {source.name} within a minute")
    if npm.returncode != 0:
        errors = [line for line in npm.stderr.splitlines() if not line.startswith("npm warn")]
        skip(f"npm cannot install the packages of {source.name}: {errors[0] if errors else npm.returncode}")
    done.write_bytes(lock)


def run(name):
    """Installs the packages of the folder `name` beside this file into a folder beside BIN, once, and runs the test."""
    source = pathlib.Path(__file__).resolve().parent / name
    for program in ("node", "npm"):
        if not shutil.which(program):
            skip(f"{program} is not on PATH")
    folder = BIN.parent / name
    install(source, folder)
    shutil.copy(source / "client_test.js", folder)
    with tempfile.TemporaryDirectory() as temporary:
        config = pathlib.Path(temporary) / "kubeconfig"
        with dev_server("--tls", "--token", "secret", "--kubeconfig", config):
            environment = {**os.environ, "KUBECONFIG": str(config)}
            node = subprocess.run(["node", "--test", "client_test.js"], cwd=folder, timeout=90, env=environment)
    sys.exit(node.returncode)
