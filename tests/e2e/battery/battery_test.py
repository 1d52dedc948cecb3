# SPDX-License-Identifier: Apache-2.0
"""Runs the kubectl commands of the golden files, and compares what kubectl prints with them.

  battery_test.py BIN_DIR [FILE...]              against `pintle dev`; FILE: only these, such as 03-get
  battery_test.py BIN_DIR --update [FILE...]     writes the output into the golden files
  battery_test.py --from-cluster KUBECONFIG ...  the same with the API server that KUBECONFIG names; also with --update

A golden file is a transcript: a line "$ kubectl ..." is a command for sh, and the lines below it are what it printed
and, if it failed, its exit code. Standard error has the prefix "! ", a comment the prefix "## ". To add a command, add its line and use --update.
Read the output before you commit it: --update also accepts what a faulty server prints.

KUBECONFIG must name an administrator of an API server without other users. The commands create objects in namespaces
battery-* and cluster objects battery-*, and delete them. Kubernetes' controllers and kubelets change what some commands
print, so the best reference is kube-apiserver with etcd alone. Files are independent of each other.

Values that differ between two runs are replaced: times, ages, uids, versions, tokens, addresses, ports and hashes; of
`kubectl explain` with built-in kinds, descriptions are left out. KUBECTL names another kubectl than the one on PATH; it
must have the version of the golden files.
"""
import argparse
import concurrent.futures
import contextlib
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
GOLDEN = FOLDER / "golden"
MINOR = "32"  # of the kubectl that wrote the golden files: its messages are in them
SECONDS_OF_COMMAND = 60

# The parts of each line that are replaced, in this order. Groups that stay are \1 and \2.
GENERATED = [(re.compile(pattern), instead) for pattern, instead in [
    (r"eyJ[\w-]+\.[\w-]+\.[\w-]+", "TOKEN"),
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "UID"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "TIME"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4}( UTC)?", "TIME"),
    (r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}", "TIME"),
    (r"\b(LIVE|MERGED)-\d+/", r"\1/"),
    (r"^((?:---|\+\+\+) \S+) +TIME$", r"\1  TIME"),
    (r'("?resourceVersion"?: ?"?)\d+', r"\1VERSION"),
    (r"(Resource Version: +|resource version to be \d+, was )\d+", r"\1VERSION"),
    (r'("?continue"?: ?"?)[\w=+/-]{20,}', r"\1CONTINUE"),
    (r'("serverAddress":")[^"]*', r"\1SERVER"),
    (r"\b10\.\d+\.\d+\.\d+", "ADDRESS"),
    (r'("?nodePort"?: ?|NodePort:.* )3[0-2]\d{3}', r"\1PORT"),
    (r"(\d:)3[0-2]\d{3}(/TCP|/UDP)", r"\1PORT\2"),
    (r"(\(x\d+ over )\w+\)", r"\1AGE)"),
]]
# Lines of standard error about how kubectl works, with times and process ids.
LOG_LINE = re.compile(r"^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ ")
AGES = re.compile(r"(?<![^ ])(AGE|Age|LAST SEEN|FIRST SEEN|Last Seen)(?= |$)")


class Battery:
    def __init__(self, kubeconfig, home):
        """`home`: an empty folder, so that kubectl finds neither another configuration nor what it has cached."""
        tools = home / "bin"
        tools.mkdir(parents=True)
        (tools / "kubectl").symlink_to(pathlib.Path(shutil.which(os.environ.get("KUBECTL", "kubectl"))).resolve())
        self.environment = {"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(home), "KUBECONFIG": str(kubeconfig),
                            "TMPDIR": str(home), "LC_ALL": "C", "TZ": "UTC", "EDITOR": "sed -i s/hello/edited/",
                            "KUBECTL_EXTERNAL_DIFF": "diff -u -N"}
        self.home = str(home)
        view = json.loads(self.run("kubectl config view --minify -o json").stdout)
        self.server = view["clusters"][0]["cluster"]["server"]
        user = json.loads(self.run("kubectl auth whoami -o json").stdout)
        self.user = user["status"]["userInfo"]["username"]

    def run(self, command):
        try:
            return subprocess.run(["sh", "-c", command], cwd=FOLDER, env=self.environment, text=True,
                                  capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS_OF_COMMAND)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", f"not finished after {SECONDS_OF_COMMAND} s\n")

    def transcript(self, command):
        """The lines of a golden file about one command."""
        done = self.run(command)
        printed = self.normalised(done.stdout, command)
        if " explain " in command and not re.search(r"\bships?\.", command):
            printed = without_prose(printed)
        lines = [f"$ {command}", *printed]
        lines += [f"! {line}".rstrip() for line in self.normalised(done.stderr, command)]
        if done.returncode:
            lines.append(f"[exit code {done.returncode}]")
        return lines

    def normalised(self, text, command):
        text = text.replace(self.server, "https://SERVER").replace(self.server.split("//")[1], "SERVER")
        text = text.replace(self.home, "HOME").replace(str(FOLDER), "FOLDER")
        lines = [line.expandtabs(8) for line in text.splitlines() if not LOG_LINE.match(line)]
        if "whoami" in command or "csr" in command:
            lines = [line.replace(self.user, "USER") for line in lines if not line.startswith("Extra:")]
        lines = without_ages(lines)
        for pattern, instead in GENERATED:
            lines = [pattern.sub(instead, line) for line in lines]
        # The width of a column depends on values that were replaced.
        return [re.sub(r"(?<=\S)(?<!^[+-]) {2,}", "  ", line).rstrip() for line in lines]


def without_ages(lines):
    """Replaces the ages in tables: the words below such a heading, up to the next line that is empty."""
    out, columns = [], []
    for line in lines:
        is_heading = line == line.upper() or line.startswith("  ")
        headings = [heading.start() for heading in AGES.finditer(line)] if is_heading else []
        if headings and "  " in line:
            columns = headings
        elif not line.strip():
            columns = []
        else:
            for start in reversed(columns):
                line = line[:start] + re.sub(r"^((\d+[smhdy])+|<unknown>|<invalid>)", "AGE", line[start:])
        out.append(line)
    return out


def without_prose(lines):
    """The output of `kubectl explain` for a built-in kind, without descriptions: `pintle dev` has none."""
    out, values = [], False
    for line in lines:
        values = bool(line) and (values or line == "ENUM:")
        if values or re.match(r"^(GROUP|KIND|VERSION|FIELD|FIELDS):|^\s*\S+ +<|^\s*enum: ", line):
            out.append(line)
    return out


def commands_of(golden):
    """Each command with the comments above it."""
    out, above = [], []
    for line in golden.read_text().splitlines():
        if line.startswith("## "):
            above.append(line)
        elif line.startswith("$ "):
            out.append((line[2:], above))
            above = []
    return out


def run_file(battery, golden, update):
    """Returns the differences of a golden file, and the number of its commands."""
    commands = commands_of(golden)
    lines = [line for command, comments in commands for line in comments + battery.transcript(command)]
    if update:
        golden.write_text("\n".join(lines) + "\n")
        return [], len(commands)
    difference = difflib.unified_diff(golden.read_text().splitlines(), lines, f"golden/{golden.name}",
                                      "what kubectl prints", lineterm="", n=4)
    return list(difference), len(commands)


def skip_without(kubectl):
    if not shutil.which(kubectl):
        print(f"skipped: {kubectl} is not on PATH")
        sys.exit(0)
    shown = subprocess.run([kubectl, "version", "--client", "-o", "json"], capture_output=True, text=True, timeout=60)
    minor = re.match(r"\d+", json.loads(shown.stdout)["clientVersion"]["minor"])[0]
    if minor != MINOR:
        print(f"skipped: the golden files have the messages of kubectl 1.{MINOR}, and {kubectl} is 1.{minor}")
        sys.exit(0)


def run_all(chosen, run_one, workers, update):
    """`run_one`: runs a golden file, as run_file() does."""
    number, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for difference, commands in pool.map(run_one, chosen):
            number += commands
            failed += bool(difference)
            print("\n".join(difference), end="\n" if difference else "")
    result = "written" if update else f"{failed} with differences"
    print(f"{number} commands in {len(chosen)} files: {result}")
    return failed == 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--from-cluster", metavar="KUBECONFIG", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="BIN_DIR, unless there is --from-cluster, and names of golden files")
    given = parser.parse_intermixed_args()
    if not given.from_cluster:
        given.bin = given.names.pop(0) if given.names else "build/dev/bin"
    return given


def main():
    given = arguments()
    skip_without(os.environ.get("KUBECTL", "kubectl"))
    chosen = [golden for golden in sorted(GOLDEN.glob("*.txt")) if not given.names or golden.stem in given.names]
    with contextlib.ExitStack() as at_end:
        folder = pathlib.Path(at_end.enter_context(tempfile.TemporaryDirectory()))
        if given.from_cluster:
            battery = Battery(given.from_cluster.resolve(), folder / "home")
            sys.exit(not run_all(chosen, lambda golden: run_file(battery, golden, given.update), 1, given.update))

        sys.argv[1:] = [given.bin]
        sys.path.insert(0, str(FOLDER.parent))
        from programs import dev_server

        def with_own_server(golden):
            kubeconfig = folder / f"{golden.stem}.yaml"
            with dev_server("--authorization", "rbac", "--kubeconfig", kubeconfig):
                return run_file(Battery(kubeconfig, folder / golden.stem), golden, given.update)

        sys.exit(not run_all(chosen, with_own_server, 4, given.update))


if __name__ == "__main__":
    main()
