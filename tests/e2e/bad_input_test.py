# SPDX-License-Identifier: Apache-2.0
"""Bad input of a user to the programs: each case ends with one clear line and the right exit code.

usage: bad_input_test.py BIN_DIR     (the folder with pintle and hello-operator)
"""
import base64
import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
import urllib.parse

from programs import BIN, dev_server, greeting, kubectl

LOG_LINE = re.compile(r"^(\{|\d{4}-\d\d-\d\dT)")


def run(program, *arguments, environment=None):
    """Runs a program to its end. Returns its exit code and the lines on standard error that are not log lines."""
    done = subprocess.run([BIN / program, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **(environment or {})})
    return done.returncode, [line for line in done.stderr.splitlines() if line and not LOG_LINE.match(line)]


class BadInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def kubeconfig(self, server="http://127.0.0.1:1", cluster=None, user=None, text=None):
        file = self.folder / "kubeconfig"
        file.write_text(text if text is not None else json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
            "clusters": [{"name": "k", "cluster": {"server": server, **(cluster or {})}}],
            "users": [{"name": "u", "user": user or {}}]}))
        return file

    def refused(self, code, *parts, program="hello-operator", arguments=(), environment=None):
        """Checks that the program ends with this code and prints one line that contains all these parts."""
        status, lines = run(program, *arguments, environment=environment)
        self.assertEqual(len(lines), 1, f"{status}: {lines}")
        self.assertEqual(status, code, lines)
        self.assertTrue(lines[0].startswith(program), lines)
        for part in parts:
            self.assertIn(str(part), lines[0])

    def test_a_kubeconfig_that_is_missing(self):
        self.refused(2, self.folder / "none", arguments=["--kubeconfig", self.folder / "none"])

    def test_no_cluster_anywhere(self):
        self.refused(2, "KUBECONFIG")

    def test_a_kubeconfig_that_is_no_yaml(self):
        file = self.kubeconfig(text="apiVersion: v1\nclusters: [\n  oh: {")
        self.refused(2, file, "line", arguments=["--kubeconfig", file])

    def test_a_context_that_is_unknown(self):
        file = self.kubeconfig()
        self.refused(2, file, "\"d\"", "c", arguments=["--kubeconfig", file, "--context", "d"])

    def test_an_unknown_flag(self):
        self.refused(2, "--nope", "--help", arguments=["--nope"])

    def test_pages_that_are_served_nowhere(self):
        self.refused(2, "--tls", "--authorize", "--listen", arguments=["--tls"], environment={"PINTLE_AUTHORIZE": "true"})

    def test_a_state_directory_that_cannot_be_made(self):
        folder = self.folder / "none" / "state"
        self.refused(2, folder, "mount a volume", arguments=["--state-dir", folder])

    def test_a_server_that_is_not_there(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        file = self.kubeconfig(f"http://127.0.0.1:{port}")
        self.refused(3, f"127.0.0.1:{port}", "connection refused", "no success after",
                     arguments=["--kubeconfig", file, "--sync-timeout", "1s"])

    def test_a_token_that_is_wrong(self):
        with dev_server("--token", "right") as url:
            file = self.kubeconfig(url, user={"token": "wrong"})
            self.refused(3, "401", "Unauthorized", arguments=["--kubeconfig", file])

    def test_a_certificate_of_an_unknown_authority(self):
        other = self.certificate("other")
        with dev_server("--tls") as url:
            file = self.kubeconfig(url, cluster={"certificate-authority-data": base64.b64encode(other.read_bytes()).decode()})
            self.refused(3, url, "certificate", arguments=["--kubeconfig", file, "--sync-timeout", "1s"])

    def test_a_certificate_that_has_expired(self):
        expired = self.certificate("expired", "20200101000000Z", "20210101000000Z")
        with tls_server(expired, self.folder / "expired.key") as url:
            file = self.kubeconfig(url, cluster={"certificate-authority-data": base64.b64encode(expired.read_bytes()).decode()})
            self.refused(3, url, "expired", arguments=["--kubeconfig", file, "--sync-timeout", "1s"])

    def test_a_definition_of_another_manager(self):
        config = self.folder / "dev"
        with dev_server("--kubeconfig", config):
            crd = subprocess.run([BIN / "hello-operator", "--print-crds"], capture_output=True, text=True, check=True).stdout
            crd = crd.replace("metadata:\n", "metadata:\n  annotations: {pintle.dev/manager: theirs}\n", 1)
            kubectl(config, "apply", "-f", "-", stdin=crd)
            self.refused(3, "greetings.demo.pintle.dev", "theirs", arguments=["--kubeconfig", config, "--crds", "upgrade"])

    def test_a_definition_that_nobody_installed(self):
        config = self.folder / "dev"
        with dev_server("--kubeconfig", config):
            self.refused(3, "greetings.demo.pintle.dev", "--print-crds", arguments=["--kubeconfig", config, "--crds", "never"])

    def test_a_definition_that_was_applied_is_adopted_when_told(self):
        config = self.folder / "dev"
        with dev_server("--kubeconfig", config):
            crd = subprocess.run([BIN / "hello-operator", "--print-crds"], capture_output=True, text=True, check=True).stdout
            kubectl(config, "apply", "-f", "-", stdin=crd)
            self.refused(3, "greetings.demo.pintle.dev", "--crds adopt", arguments=["--kubeconfig", config, "--crds", "upgrade"])
            owner = ("get", "crd", "greetings.demo.pintle.dev", "-o", "jsonpath={.metadata.annotations.pintle\\.dev/manager}")
            self.assertEqual(kubectl(config, *owner), "")
            with subprocess.Popen([BIN / "hello-operator", "--kubeconfig", config, "--crds", "adopt"],
                                  stderr=subprocess.DEVNULL) as operator:
                for _ in range(200):
                    if kubectl(config, *owner) == "hello-operator":
                        break
                    threading.Event().wait(0.1)
                self.assertEqual(kubectl(config, *owner), "hello-operator")
                operator.send_signal(signal.SIGTERM)
                self.assertEqual(operator.wait(20), 0)

    def test_a_port_in_use(self):
        config = self.folder / "dev"
        with dev_server("--kubeconfig", config) as url:
            address = url.removeprefix("http://")
            self.refused(1, address, program="pintle", arguments=["dev", "--listen", address])
            self.refused(2, address, arguments=["--kubeconfig", config, "--listen", address])

    def test_a_kubeconfig_that_somebody_else_wrote(self):
        file = self.kubeconfig()
        before = file.read_text()
        self.refused(1, file, program="pintle", arguments=["dev", "--kubeconfig", file])
        self.assertEqual(file.read_text(), before)

    def test_a_token_that_kubectl_would_not_send(self):
        self.refused(2, "--tls", program="pintle", arguments=["dev", "--token", "t", "--kubeconfig", self.folder / "k"])

    def test_a_token_that_is_empty(self):
        status, lines = run("pintle", "dev", "--token", "")
        self.assertEqual((status, lines[0]), (2, "pintle dev: --token: is empty (pintle dev --help lists the arguments)"))

    def test_options_that_may_be_repeated(self):
        with dev_server("--service", "a.b=https://127.0.0.1:1", "--service", "c.d=https://127.0.0.1:1",
                        "--pod", "b/a:1=http://127.0.0.1:1", "--pod", "d/c:1=http://127.0.0.1:1") as url:
            self.assertIn("http://127.0.0.1:", url)

    def test_a_client_certificate_that_would_be_nowhere(self):
        self.refused(2, "--kubeconfig", program="pintle", arguments=["dev", "--tls", "--client-certificate"])
        self.refused(2, "--tls", program="pintle",
                     arguments=["dev", "--client-certificate", "--kubeconfig", self.folder / "k"])

    def test_a_time_of_day_that_is_none(self):
        self.refused(2, "--now", "yesterday", program="pintle", arguments=["dev", "--now", "yesterday"])

    def test_a_client_that_asks_too_often(self):
        with dev_server("--max-requests-per-second", "0.01") as url, connection(url) as client:
            first, refused = (answer(client, "/api/v1/namespaces") for _ in range(2))
            self.assertEqual((200, 429, "1"), (first.status, refused.status, refused.getheader("Retry-After")))

    def test_a_connection_beyond_the_limit(self):
        with dev_server("--max-connections", "1") as url, connection(url) as first, connection(url) as second:
            self.assertEqual(200, answer(first, "/version").status)
            self.assertEqual(200, answer(second, "/version").status)
            self.assertEqual(b"", first.sock.recv(1))  # closed to make room, because it had no running request
            second.request("GET", "/api/v1/namespaces?watch=true")
            self.assertEqual(200, second.getresponse().status)
            with socket.create_connection((first.host, first.port), timeout=20) as third:
                self.assertEqual(b"", third.recv(1))  # one connection too many

    def test_an_object_that_breaks_its_schema_stops_nobody(self):
        config = self.folder / "dev"
        with dev_server("--kubeconfig", config):
            with subprocess.Popen([BIN / "hello-operator", "--kubeconfig", config], stderr=subprocess.PIPE, text=True) as operator:
                kubectl(config, "wait", "--for=condition=Established", "crd/greetings.demo.pintle.dev", patience=20)
                bad = kubectl(config, "apply", "--validate=false", "-f", "-", stdin=greeting("bad", "{a: 1}"), expect=1)
                self.assertIn("spec.who", bad)
                kubectl(config, "apply", "-f", "-", stdin=greeting("good", "Ada"))
                text = kubectl(config, "get", "configmap", "good", "-o", "jsonpath={.data.text}", patience=20)
                self.assertEqual(text, "Hello, Ada!")
                operator.send_signal(signal.SIGTERM)
                self.assertEqual(operator.wait(20), 0)

    def certificate(self, name, begin="20200101000000Z", end="20991231235959Z"):
        """Creates a self-signed certificate for 127.0.0.1 with this validity, and its key in the same folder."""
        certificate, key, request = (self.folder / f"{name}.{ending}" for ending in ("pem", "key", "csr"))
        config = self.folder / "ca.conf"
        (self.folder / "index.txt").write_text("")
        (self.folder / "new").mkdir(exist_ok=True)
        config.write_text(f"""[ca]
default_ca = d
[d]
database = {self.folder}/index.txt
new_certs_dir = {self.folder}/new
rand_serial = yes
default_md = sha256
policy = p
x509_extensions = x
[p]
commonName = supplied
[x]
subjectAltName = IP:127.0.0.1
basicConstraints = critical,CA:TRUE
[req]
distinguished_name = n
[n]
""")
        openssl("req", "-config", config, "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        openssl("ca", "-batch", "-notext", "-config", config, "-selfsign", "-keyfile", key, "-in", request, "-out", certificate,
                "-startdate", begin, "-enddate", end)
        return certificate


@contextlib.contextmanager
def connection(url):
    """Returns a connection to this server, which is opened by its first request."""
    address = urllib.parse.urlsplit(url)
    with contextlib.closing(http.client.HTTPConnection(address.hostname, address.port, timeout=20)) as client:
        yield client


def answer(client, target):
    """Returns the response to a GET, after its body was read."""
    client.request("GET", target)
    response = client.getresponse()
    response.read()
    return response


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


@contextlib.contextmanager
def tls_server(certificate, key):
    """Runs a TLS server with this certificate. Yields its URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    server.handle_error = lambda *_: None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


if __name__ == "__main__":
    unittest.main(verbosity=1)
