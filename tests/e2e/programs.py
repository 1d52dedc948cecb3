# SPDX-License-Identifier: Apache-2.0
"""Functions that the tests of the programs share: run a program, a server, kubectl."""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import threading

BIN = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev/bin").resolve()


def dev_server(*arguments):
    """Runs a `pintle dev`. Yields its URL."""
    return serving("dev", *arguments)


@contextlib.contextmanager
def serving(command, *arguments):
    """Runs a command of pintle that serves until a signal. Yields its URL."""
    process = subprocess.Popen([BIN / "pintle", command, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline().split()
        assert line and line[0] == "ready", line
        yield line[1]
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0, f"pintle {command} did not stop cleanly"
        process.stdout.close()


def greeting(name, who):
    return f"apiVersion: demo.pintle.dev/v1\nkind: Greeting\nmetadata: {{name: {name}}}\nspec: {{who: {who}}}\n"


def kubectl(config, *arguments, stdin=None, expect=0, patience=0, environment=None):
    """Runs kubectl, repeatedly for `patience` seconds until it ends as expected. Returns its output."""
    for attempt in range(max(1, patience * 10)):
        done = subprocess.run([os.environ.get("KUBECTL", "kubectl"), "--kubeconfig", config, *arguments], input=stdin,
                              capture_output=True, text=True, timeout=60, env={**os.environ, **(environment or {})})
        if done.returncode == expect:
            return done.stdout if expect == 0 else done.stdout + done.stderr
        threading.Event().wait(0.1)
    raise AssertionError(f"kubectl {' '.join(arguments)}: {done.returncode}: {done.stderr}")


def wait_until(description, holds, seconds=30):
    """Waits until `holds()` is true."""
    for _ in range(seconds * 10):
        if holds():
            return
        threading.Event().wait(0.1)
    raise AssertionError(f"not after {seconds} s: {description}")


def wait_until_gone(config, kind, *which, seconds=30):
    """Waits until no such object exists. (`kubectl wait --for=delete` of 1.20 fails if the object is gone already.)"""
    wait_until(f"{kind} {' '.join(which)} is gone",
               lambda: not kubectl(config, "get", kind, *which, "--ignore-not-found", "-o", "name").strip(), seconds)
