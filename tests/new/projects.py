# SPDX-License-Identifier: Apache-2.0
"""Functions for tests of the projects that `pintle new` writes."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading

import yaml

import wrong_reconciles

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLATFORM_CRDS = ROOT / "tests/data/cluster_access_crds.json"
MAX_IMAGE_MEGABYTES = 25  # unpacked
MAX_SHARED_IMAGE_MEGABYTES = 34  # with libpintle.so, which contains all layers
# The parts of an image, as docs/packages.md lists them, with the names of their files.
IMAGE_PARTS = {
    "the operator": r"usr/bin/.*",
    "C and C++": r"lib(c|m|stdc\+\+|gcc_s)\.so.*|ld-linux.*",
    "OpenSSL": r"lib(crypto|ssl)\.so.*",
    "libcurl": r"libcurl\.so.*",
    "names of hosts, compression and HTTP/2 for libcurl": r"lib(idn2|unistring|psl|zstd|brotli\w+|nghttp2)\.so.*",
    "SSH and Kerberos for libcurl, and the substitutes of LDAP and RTMP":
        r"lib(ldap-|lber-|rtmp|ssh2|gssapi_krb5|krb5|krb5support|k5crypto|com_err|keyutils|resolv)[\d.]*\.?so.*",
    "other libraries": r"lib(fyaml|re2|boost_json|prometheus-cpp-core|fmt|z|date-tz)\.so.*",
    "certificates, user and group": r"etc/.*",
}


def run(command, **options):
    """Runs a command. Returns its output, standard error included. The output is part of the error if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}"
    return done.stdout


def compiler_options():
    """Returns the options of cmake that use ccache, if it is installed."""
    return ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def compressed_size(root):
    """Returns the size in bytes of the files in a folder as one gzip layer, as a registry stores it."""
    archive = subprocess.run(["tar", "-C", root, "-cz", "."], stdout=subprocess.PIPE, check=True)
    return len(archive.stdout)


def image_parts(root):
    """Returns the megabytes of each part of an image. Each file must belong to one."""
    sizes = dict.fromkeys(IMAGE_PARTS, 0.0)
    for path in root.rglob("*"):
        if not path.is_file() or path.is_symlink():
            continue
        name = str(path.relative_to(root)) if path.parts[len(root.parts)] in ("usr", "etc") else path.name
        parts = [part for part, pattern in IMAGE_PARTS.items() if re.fullmatch(pattern, name)]
        assert len(parts) == 1, f"{name} belongs to {parts}"
        sizes[parts[0]] += path.stat().st_size / 1e6
    return sizes


def check_image_table(root, page):
    """Compares the table of sizes in a page with an image. They may differ by a tenth, as updates of Debian change them."""
    rows = {part: float(size) for part, size in re.findall(r"^\| ([^|]+) \| ([\d.]+) \|$", page.read_text(), re.M)}
    measured = image_parts(root)
    measured["all"] = sum(measured.values())
    measured["all, compressed"] = compressed_size(root) / 1e6
    table = "".join(f"| {part} | {size:.1f} |\n" for part, size in measured.items())
    for part, size in measured.items():
        assert part in rows and abs(rows[part] - size) <= max(0.1, size / 10), f"{page.name} needs this table:\n{table}"


def documents(text):
    return [document for document in yaml.safe_load_all(text) if document]


def by_name(objects):
    found = {(one["kind"], one["metadata"].get("namespace", ""), one["metadata"]["name"]): one for one in objects}
    assert len(found) == len(objects), "two objects have the same name"
    return found


def chart_objects(chart, namespace, values=None):
    """Returns the objects of a chart: its templates with the values (default: values.yaml)."""
    values = values or yaml.safe_load((chart / "values.yaml").read_text())

    def value(match):
        path = match[1].split(".")
        if path == ["Release", "Namespace"]:
            return namespace
        assert path[0] == "Values", match[0]
        found = values
        for member in path[1:]:
            found = found[member]
        return str(found)

    text = "".join("---\n" + file.read_text() for file in sorted((chart / "templates").iterdir()))
    return documents(re.sub(r"\{\{ \.([A-Za-z.]+) \}\}", value, text))


def check_chart(project, name):
    """Checks that the chart with its default values has the objects of the kustomization, except the namespace, which
    Helm creates, and that it follows its values."""
    wanted = documents(run([os.environ.get("KUBECTL", "kubectl"), "kustomize", project / "deploy"]))
    wanted = by_name([one for one in wanted if one["kind"] != "Namespace"])
    chart = project / "charts" / name
    found = by_name(chart_objects(chart, name))
    for definition in (one for one in found.values() if one["kind"] == "CustomResourceDefinition"):
        assert definition["metadata"].pop("annotations") == {"helm.sh/resource-policy": "keep"}, definition
    for key in sorted(wanted.keys() | found.keys()):
        assert wanted.get(key) == found.get(key), f"{key}: kustomize: {wanted.get(key)}\nchart: {found.get(key)}"

    values = {"image": "r.example.com/x:9", "replicas": 7, "logLevel": "debug",
              "resources": {"requests": {"cpu": "1", "memory": "2Gi"}, "limits": {"memory": "3Gi"}}}
    assert set(values) == set(yaml.safe_load((chart / "values.yaml").read_text())), "values.yaml has other values"
    changed = chart_objects(chart, "elsewhere", values)
    assert not [one for one in changed if one["metadata"].get("namespace", "elsewhere") != "elsewhere"], changed
    deployment = next(one for one in changed if one["kind"] == "Deployment")["spec"]
    container = deployment["template"]["spec"]["containers"][0]
    assert deployment["replicas"] == 7 and container["image"] == "r.example.com/x:9", deployment
    assert container["resources"] == {"requests": {"cpu": "1", "memory": "2Gi"}, "limits": {"memory": "3Gi"}}, container
    assert "--log-level=debug" in container["args"], container


def check_fetched_sources(project, work, program=None):
    """Checks that the project configures with the sources of pintle, and that the error without pintle is clear. With
    `program`, the pintle, also builds and tests the project with them, and lets a project with --url and --tag fetch them
    by Git."""
    unset = {**os.environ}
    unset.pop("CMAKE_PREFIX_PATH", None)

    def configure(name, *options, source=project):
        return subprocess.run(["cmake", "-S", source, "-B", work / name, "-G", "Ninja", "--log-level=NOTICE", *compiler_options(), *options],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=unset)

    done = configure("none", "-DCMAKE_DISABLE_FIND_PACKAGE_pintle=ON")
    message = " ".join(done.stdout.split())
    assert done.returncode != 0 and "pintle 0.1 is not installed" in message and "set PINTLE_GIT_URL" in message, message
    done = configure("sources", f"-DFETCHCONTENT_SOURCE_DIR_PINTLE={ROOT}", "-DFETCHCONTENT_FULLY_DISCONNECTED=ON")
    assert done.returncode == 0, done.stdout
    if program:
        run(["cmake", "--build", work / "sources"])
        run(["ctest", "--test-dir", work / "sources", "--no-tests=error", "--output-on-failure"])
        commit = run(["git", "rev-parse", "HEAD"], cwd=ROOT).strip()
        run([program, "new", "fetching", "--url", f"file://{ROOT}", "--tag", commit, "--out", work / "fetching"])
        done = configure("git", "-DCMAKE_DISABLE_FIND_PACKAGE_pintle=ON", source=work / "fetching")
        assert done.returncode == 0 and (work / "git/_deps/pintle-src/layers.txt").exists(), done.stdout


class Cluster:
    """A `pintle dev`, and kubectl for it."""

    def __init__(self, program, folder, *arguments):
        self.config = folder / "kubeconfig"
        with (folder / "server.log").open("w") as log:
            self.process = subprocess.Popen([program, "dev", "--kubeconfig", self.config, *arguments],
                                            stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("ready "), line

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0, "pintle dev did not stop cleanly"
        self.process.stdout.close()

    def kubectl(self, *arguments, stdin=None, expect=0):
        done = subprocess.run([os.environ.get("KUBECTL", "kubectl"), "--kubeconfig", self.config, *arguments],
                              input=stdin, capture_output=True, text=True, timeout=60)
        assert done.returncode == expect, f"kubectl {' '.join(map(str, arguments))}: {done.stdout}{done.stderr}"
        return done.stdout if expect == 0 else done.stderr

    def wait_for(self, wanted, *arguments, seconds=60):
        """Repeats a kubectl command until its output is `wanted`, or `wanted(output)` is true. Returns the output."""
        is_there = wanted if callable(wanted) else wanted.__eq__
        seen = None
        for _ in range(seconds * 10):
            with contextlib.suppress(AssertionError):
                seen = self.kubectl(*arguments)
                if is_there(seen):
                    return seen
            threading.Event().wait(0.1)
        raise AssertionError(f"kubectl {' '.join(map(str, arguments))}: {seen!r} after {seconds} s")

    def message(self, namespace, name):
        return ["get", "configmap", name, "-n", namespace, "-o", "jsonpath={.data.message}"]


@contextlib.contextmanager
def operator(command, log):
    """Runs an operator until the end of the block. Its log is part of the error if it fails."""
    with log.open("w") as output:
        process = subprocess.Popen(list(map(str, command)), stdout=output, stderr=output)
    try:
        yield
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0, f"exit code {process.returncode}"
    except BaseException:
        print(log.read_text(), file=sys.stderr)
        raise
    finally:
        process.kill()
        process.wait(20)


class Project:
    """A project that `pintle new` writes to a folder."""

    def __init__(self, programs, folder, name, kind, group, pattern="plain", webhook=False):
        self.program, self.folder = programs / "pintle", folder / "project"
        self.work, self.name, self.kind, self.group, self.pattern, self.webhook = (folder, name, kind, group, pattern,
                                                                                  webhook)
        run([self.program, "new", name, "--kind", kind, "--group", group, "--pattern", pattern, "--out", self.folder,
             *(["--webhook"] if webhook else [])])

    def cmake(self, *arguments):
        return run(["cmake", *arguments], cwd=self.folder)

    def configure(self, *options):
        self.cmake("--preset", "dev", *compiler_options(), *options)

    def build(self, *targets):
        self.cmake("--build", "--preset", "dev", *(["--target", *targets] if targets else []))

    def test(self, *options):
        return run(["ctest", "--preset", "dev", *options], cwd=self.folder)

    def check_workflow(self, prefix):
        """Runs the steps of the CI file after the installation of packages."""
        workflow = yaml.safe_load((self.folder / ".github/workflows/ci.yml").read_text())
        steps = [step for step in workflow["jobs"]["build"]["steps"] if "run" in step]
        names = ["Install", "Find pintle", "Configure", "Build", "Test", "Image"]
        assert [step["name"] for step in steps] == names, steps
        steps.pop(1)  # as in an image with pintle; command_test.py runs it
        environment = {**os.environ, "CMAKE_PREFIX_PATH": str(prefix)}
        for step in steps[1:]:
            run(["bash", "-e", "-c", step["run"]], cwd=self.folder, env=environment)

    def check_outdated_manifests(self):
        """Checks that the test of the manifests finds a file that the operator printed earlier, and that the target
        removes it."""
        printed = self.folder / f"charts/{self.name}/templates/service.yaml"
        old = printed.with_name("service-monitor.yaml")
        old.write_text(printed.read_text())
        done = subprocess.run(["ctest", "--preset", "dev", "-R", "^manifests$"], cwd=self.folder, capture_output=True,
                              text=True)
        message = " ".join(done.stdout.split())  # CMake breaks the lines of a message
        assert done.returncode != 0 and f"{old.name} (remove it)" in message, done.stdout
        self.build("manifests")
        assert not old.exists()
        self.test("-R", "^manifests$")

    def check_tests_find_wrong_code(self):
        """Checks that each wrong version of the code fails the tests, and a reconcile that does nothing."""
        for wrong in wrong_reconciles.of(self.pattern, self.webhook):
            source = self.folder / wrong.file
            if source.is_dir():
                source = next(source.iterdir())
            text = changed = source.read_text()
            for old, new in wrong.replacements.items():
                assert old in changed, f"{source.name} has no {old}"
                changed = changed.replace(old, new)
            self.check_tests_find(wrong.what, source, changed, wrong.tests)
        source = self.folder / "src/reconcile.cpp"
        namespace = re.search(r"^namespace (\w+) \{$", source.read_text(), re.M)[1]
        nothing = f"""#include "reconcile.hpp"
#include "api/{next((self.folder / "src/api").iterdir()).name}"
void {namespace}::add_controllers(pintle::Manager& manager) {{
  manager.add(pintle::Controller<{self.kind}>{{.owns = {{pintle::ConfigMap::type}},
                                              .reconcile = [](const {self.kind}&, pintle::Context&) -> pintle::Outcome {{
                                                return pintle::done;
                                              }}}});
}}
"""
        self.check_tests_find("it does nothing", source, nothing, wrong_reconciles.tests_of_nothing_done(self.pattern))

    def check_tests_find(self, what, source, changed, wanted):
        text = source.read_text()
        source.write_text(changed)
        try:
            self.build(f"{self.name}-tests")
            done = subprocess.run([self.folder / "build/dev" / f"{self.name}-tests",
                                   f"--gtest_filter={':'.join('*Test.' + name for name in wanted)}"],
                                  capture_output=True, text=True)
            failed = set(re.findall(r"\[  FAILED  \] \w+\.(\w+) \(", done.stdout))
            assert set(wanted) <= failed, f"{what}: these tests pass: {set(wanted) - failed}\n{done.stdout}"
        finally:
            source.write_text(text)

    def printed_code_manifests(self):
        """Returns what the code of the operator determines: the CRDs and the roles that it prints, by file."""
        arguments = [*self.deployed_arguments(), f"--leader-elect-resource-namespace={self.name}"]
        if self.webhook:
            arguments.append(f"--webhook-service-namespace={self.name}")
        program = self.folder / "build/dev" / self.name
        roles = run([program, *arguments, "--print-rbac"])
        roles, separator, platform = roles.partition("---\n# In the cluster platform.\n")
        files = {"crds.yaml": run([program, *arguments, "--print-crds"]), "rbac.yaml": roles}
        return {**files, "platform/rbac.yaml": separator + platform} if separator else files

    def deployed_arguments(self):
        deployment = next(one for one in documents((self.folder / "deploy/deployment.yaml").read_text())
                          if one["kind"] == "Deployment")
        return deployment["spec"]["template"]["spec"]["containers"][0]["args"]

    def check_deployment(self):
        """Applies the manifests to a `pintle dev`, and runs the operator with the arguments of its Deployment."""
        check_chart(self.folder, self.name)
        port = free_port()
        services = [f"--service={self.name}.{self.name}=https://127.0.0.1:{port}"] if self.webhook else []
        cluster = Cluster(self.program, self.work, *services)
        try:
            if self.pattern == "service":
                install_platform_kinds(cluster)
            applied = cluster.kubectl("apply", "-k", self.folder / "deploy").splitlines()
            assert len(applied) >= 10 and all(line.endswith(" created") for line in applied), applied
            # Addresses and paths of this machine instead of those of a pod.
            changed = {"--listen": "127.0.0.1:0", "--webhook-listen": f"127.0.0.1:{port}",
                       "--platform-kubeconfig": cluster.config}
            arguments = [f"{flag}={changed[flag]}" if (flag := one.split("=")[0]) in changed else one
                         for one in self.deployed_arguments()]
            # In a pod they are not necessary.
            arguments.append(f"--leader-elect-resource-namespace={self.name}")
            if self.webhook:
                arguments.append(f"--webhook-service-namespace={self.name}")
            command = [self.folder / "build/dev" / self.name, "--kubeconfig", cluster.config, *arguments]
            with operator(command, self.work / "log"):
                self.check_sample(cluster)
        finally:
            cluster.stop()

    def check_sample(self, cluster):
        """Creates, changes and deletes the sample."""
        if self.webhook:
            cluster.wait_for(lambda out: self.name in out, "get", "validatingwebhookconfigurations", "-o", "name")
        if self.pattern == "service":
            cluster.kubectl("apply", "-f", "-", stdin=f"apiVersion: {self.group}/v1\nkind: {self.kind}Config\n"
                                                      f"metadata: {{name: {self.name}}}\n")
        cluster.kubectl("create", "namespace", "shop")
        cluster.kubectl("apply", "-n", "shop", "-f", self.folder / "sample.yaml")
        place = "shop"
        if self.pattern == "service":
            place = "default"
            grant_control_plane(cluster, self.kind.lower(), "shop", "sample")
        cluster.wait_for("Hello from the sample!", *cluster.message(place, "sample"))
        resource = f"{self.kind.lower()}/sample"
        patch = ["patch", resource, "-n", "shop", "--type=merge", "-p"]
        cluster.kubectl(*patch, '{"spec": {"message": "changed"}}')
        cluster.wait_for("changed", *cluster.message(place, "sample"))
        if self.webhook:
            cluster.kubectl(*patch, '{"spec": {"message": ""}}')
            cluster.wait_for("Hello from shop!", *cluster.message(place, "sample"))
            cluster.kubectl("label", resource, "-n", "shop", f"{self.group}/locked=true")
            message = cluster.kubectl(*patch, '{"spec": {"message": "changed"}}', expect=1)
            assert "spec.message cannot be changed" in message, message
        cluster.kubectl("delete", resource, "-n", "shop", "--timeout=60s")
        cluster.wait_for("", "get", "configmap", "sample", "-n", place, "--ignore-not-found", "-o", "name")


@contextlib.contextmanager
def running_image(root, name, program, work):
    """Checks the files of an image, and runs its program in them against a `pintle dev`. Yields that cluster, or None
    without root."""
    unpacked = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) / 1e6
    megabytes = compressed_size(root) / 1e6
    print(f"new: the image of {name} has {megabytes:.1f} MB, {unpacked:.1f} MB unpacked", flush=True)
    is_shared = any(root.rglob("libpintle.so.*"))
    assert unpacked <= (MAX_SHARED_IMAGE_MEGABYTES if is_shared else MAX_IMAGE_MEGABYTES), f"the image has {unpacked:.1f} MB"
    assert "BEGIN CERTIFICATE" in (root / "etc/ssl/certs/ca-certificates.crt").read_text()
    assert ":65532:65532:" in (root / "etc/passwd").read_text()
    if os.geteuid() != 0:
        print("new: skipped: the program is not started in the files of the image, because chroot needs root")
        yield None
        return
    inside = ["chroot", "--userspec=65532:65532", root, f"/usr/bin/{name}"]
    assert "0.1.0" in run([*inside, "--version"])
    cluster = Cluster(program, work)
    config = root / "kubeconfig"
    try:
        shutil.copy(cluster.config, config)
        config.chmod(0o644)
        with operator([*inside, "--kubeconfig", "/kubeconfig"], work / "log"):
            yield cluster
    finally:
        config.unlink(missing_ok=True)
        cluster.stop()


def install_platform_kinds(cluster):
    """Installs the CRDs of the platform cluster of the service pattern."""
    for plural, definition in json.loads(PLATFORM_CRDS.read_text()).items():
        name = f"{plural}.clusters.openmcp.cloud"
        cluster.kubectl("apply", "-f", "-", stdin=json.dumps({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": name},
            "spec": definition["spec"]}))
        cluster.kubectl("wait", "--for=condition=Established", f"crd/{name}", "--timeout=20s")


def grant_control_plane(cluster, kind, namespace, name):
    """Acts as the platform: one server is all three clusters, and the control plane of the object is granted."""
    conditions = cluster.wait_for(lambda out: "mcp--" in out, "get", kind, name, "-n", namespace, "-o",
                                  "jsonpath={.status.conditions[*].message}")
    home = re.search(r"mcp--[0-9a-f-]+", conditions)[0]
    cluster.kubectl("create", "namespace", home)
    cluster.kubectl("apply", "-f", "-", stdin=f"apiVersion: clusters.openmcp.cloud/v1alpha1\nkind: ClusterRequest\n"
                                              f"metadata: {{name: {name}, namespace: {home}}}\nspec: {{purpose: mcp}}\n")
    grant(cluster, "clusterrequest", home, name, {})
    request = cluster.wait_for(lambda out: out, "get", "accessrequests", "-n", home, "-o",
                               "jsonpath={.items[*].metadata.name}").split()[0]
    cluster.kubectl("create", "secret", "generic", "access", "-n", home, f"--from-file=kubeconfig={cluster.config}")
    grant(cluster, "accessrequest", home, request, {"secretRef": {"name": "access"}})


def grant(cluster, kind, namespace, name, more):
    for attempt in range(20):
        there = json.loads(cluster.kubectl("get", kind, name, "-n", namespace, "-o", "json"))
        there["status"] = {**there.get("status", {}), "phase": "Granted", "observedGeneration": 1, **more}
        path = f"/apis/{there['apiVersion']}/namespaces/{namespace}/{kind}s/{name}/status"
        try:
            return cluster.kubectl("replace", "--raw", path, "-f", "-", stdin=json.dumps(there))
        except AssertionError as error:
            if attempt == 19 or "Conflict" not in str(error) and "modified" not in str(error):
                raise
