# SPDX-License-Identifier: Apache-2.0
"""Runs `pintle new` as a user does: what it writes, and what it does with bad input.

usage: command_test.py BIN_DIR
"""
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest

import yaml

BIN = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev/bin").resolve()


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def new(self, *arguments, **options):
        return subprocess.run([BIN / "pintle", "new", *map(str, arguments)], capture_output=True, text=True, timeout=60,
                              cwd=self.folder, **options)

    def content(self):
        return {str(path.relative_to(self.folder)): path.read_text() if path.is_file() else None
                for path in sorted(self.folder.rglob("*"))}

    def fails(self, *arguments, code=2, parts=()):
        """Checks that the command fails with one line on standard error, and that no file changes."""
        before = self.content()
        done = self.new(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.content(), before)
        for part in parts:
            self.assertIn(part, done.stderr)
        return done.stderr

    def test_writes_a_project_and_prints_the_next_commands(self):
        done = self.new("shop-operator")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("created shop-operator;", done.stdout)
        self.assertIn("  cd shop-operator\n", done.stdout)
        project = self.folder / "shop-operator"
        self.assertIn('type{"example.com/v1", "Shop"}', (project / "src/api/shop.hpp").read_text())
        for path in project.rglob("*"):
            if path.is_file():
                is_script = path.read_text().startswith("#!")
                self.assertEqual(bool(path.stat().st_mode & stat.S_IXUSR), is_script, path)
        self.assertTrue(os.access(project / "image/build", os.X_OK))

    def test_the_next_commands_work_in_a_folder_with_spaces(self):
        self.assertIn("  cd 'my folder/shop'\n", self.new("shop", "--out", "my folder/shop").stdout)

    def test_takes_all_options(self):
        done = self.new("shop", "--group", "acme.org", "--kind", "CronTab", "--pattern", "guard", "--webhook", "--out",
                        "a/b", "--url", "https://git.example.com/pintle.git", "--tag", "some-branch")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        project = self.folder / "a/b"
        self.assertIn('type{"acme.org/v1", "CronTab"}', (project / "src/api/cron_tab.hpp").read_text())
        self.assertIn("pintle/patterns/guard.hpp", (project / "src/reconcile.cpp").read_text())
        self.assertIn("Admission<CronTab>", (project / "src/admission.cpp").read_text())
        cmake = (project / "CMakeLists.txt").read_text()
        self.assertIn('set(PINTLE_GIT_URL "https://git.example.com/pintle.git" ', cmake)
        self.assertIn('set(PINTLE_GIT_TAG "some-branch" ', cmake)
        self.assertNotIn("PINTLE_GIT_URL", done.stdout)

    def test_the_default_tag_is_that_of_the_program(self):
        self.assertEqual(self.new("shop").returncode, 0)
        tag = re.search(r'set\(PINTLE_GIT_TAG "([^"]*)"', (self.folder / "shop/CMakeLists.txt").read_text())[1]
        self.assertRegex(tag, r"^(v\d+\.\d+\.\d+|[0-9a-f]{40})$")

    def test_ci_without_a_url_of_pintle_fails_with_a_reason(self):
        done = self.new("shop")
        self.assertIn("set PINTLE_GIT_URL in CMakeLists.txt", done.stdout)
        project = self.folder / "shop"
        steps = yaml.safe_load((project / ".github/workflows/ci.yml").read_text())["jobs"]["build"]["steps"]
        step = next(step for step in steps if step.get("name") == "Find pintle")["run"]

        def find():
            return subprocess.run(["bash", "-e", "-c", step], cwd=project, capture_output=True, text=True, timeout=60)

        without = find()
        self.assertEqual(without.returncode, 1)
        self.assertIn("set PINTLE_GIT_URL in CMakeLists.txt", without.stderr)
        cmake = project / "CMakeLists.txt"
        cmake.write_text(cmake.read_text().replace('PINTLE_GIT_URL ""', 'PINTLE_GIT_URL "https://git.example.com/p.git"'))
        self.assertEqual(find().returncode, 0)

    def test_uses_an_empty_folder(self):
        (self.folder / "shop").mkdir()
        self.assertEqual(self.new("shop").returncode, 0)
        self.assertTrue((self.folder / "shop/CMakeLists.txt").exists())

    def test_a_second_run_changes_nothing(self):
        self.assertEqual(self.new("shop").returncode, 0)
        self.fails("shop", "--pattern", "guard", parts=["shop exists and is not empty; choose another folder with --out"])

    def test_a_folder_with_any_file_is_kept(self):
        (self.folder / "shop").mkdir()
        (self.folder / "shop/.hidden").write_text("mine")
        self.fails("shop", parts=["shop exists and is not empty"])
        (self.folder / "file").write_text("mine")
        self.fails("shop", "--out", "file", parts=["file exists and is not a folder"])
        self.fails("shop", "--out", "file/x", code=1, parts=["pintle new: cannot write file: Not a directory"])
        (self.folder / "link").symlink_to("nowhere")
        self.fails("shop", "--out", "link", parts=["link exists and is not a folder"])

    def test_bad_input_is_an_error_that_names_it(self):
        for arguments, parts in [
                (["Shop"], ['the name "Shop" must consist of']),
                (["../shop"], ['the name "../shop" must consist of']),
                (["test"], ['the name "test" is the name of a target']),
                (["spec-operator"], ['the kind from the name, "Spec"', "choose one with --kind"]),
                (["shop", "--kind", "shop"], ['--kind "shop" must begin with A-Z']),
                (["shop", "--group", "acme"], ['--group "acme" must be a domain']),
                (["shop", "--group", "x.k8s.io"], ['--group "x.k8s.io" belongs to Kubernetes']),
                (["shop", "--pattern", "gard"], ['--pattern "gard" is not one of plain, crud', "did you mean guard?"]),
                (["shop", "--url", "a b"], ['--url "a b" must be a URL']),
                (["shop", "--tag", "a;b"], ['--tag "a;b" must be a tag, branch or commit']),
                (["\x1b[2J"], ["\\x1b[2J"])]:
            message = self.fails(*arguments, parts=["pintle new: ", *parts])
            self.assertEqual(message.count("\n"), 1, message)
        for arguments, message in [
                ([], "NAME is missing; write pintle new [OPTION]... NAME"),
                (["shop", "more"], '"more" is not expected; write pintle new [OPTION]... NAME'),
                (["shop", "--group"], "--group has no value; write it as --group DOMAIN")]:
            self.assertEqual(self.fails(*arguments),
                             f"pintle new: {message} (pintle new --help lists the arguments)\n")
        self.fails("shop", "--nothing", parts=['pintle: "--nothing" is not an option'])

    def test_a_failed_write_leaves_nothing_behind(self):
        def limited(*arguments):
            # The limit is below the size of the largest file, and each earlier file is written completely.
            command = f"ulimit -f 2; trap '' XFSZ; exec {BIN}/pintle {' '.join(arguments)}"
            return subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=60)
        if limited("--version").returncode != 0:
            self.skipTest("ThreadSanitizer writes a larger file at the start of the program")
        done = limited("new", "shop")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("pintle new: cannot write shop/", done.stderr)
        self.assertEqual(self.content(), {})


if __name__ == "__main__":
    unittest.main(verbosity=1)
