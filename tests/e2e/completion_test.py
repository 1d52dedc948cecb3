# SPDX-License-Identifier: Apache-2.0
"""The completions and man pages of `pintle` and of an operator: in the shells, and against --help.

usage: completion_test.py BIN_DIR     (the folder with pintle and hello-operator)

zsh, fish, man and mandoc are used if they are installed.
"""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from programs import BIN

OPERATOR = "hello-operator"
# The commands of pintle.
COMMANDS = (("dev",), ("gen",), ("gen", "types"), ("gen", "crd"), ("completion",), ("man",), ("new",), ("doctor",),
            ("top",), ("why",), ("simulate",), ("migrate-storage",))
PATTERNS = {"plain", "crud", "external", "phased", "watcher", "service", "guard"}


# Run by zsh: types a line and a tab in an interactive zsh that has read the file of the first argument, and prints the
# matches.
ZSH_DRIVER = """
zmodload zsh/zpty
zpty shell zsh -f -i
() {
  local line
  zpty -w shell "source $1"
  while zpty -r shell line; do [[ $line = *'<ready>'* ]] && break; done
  zpty -w -n shell "$2"$'\\t'
  while zpty -r shell line; do
    line=${${line%$'\\n'}%$'\\r'}
    [[ $line = *'<end>'* ]] && break
    [[ $line = *'<match>'* ]] && print -r -- ${line##*<match>}
  done
} "$@"
zpty -d shell
"""
# That zsh reads it after the name of the script with the completions. compadd receives the matches; with -O, -A or -D
# it only filters them.
ZSH_SETUP = """
PROMPT= RPROMPT=
unsetopt prompt_cr prompt_sp
autoload -Uz compinit && compinit -u -D
source $script
compadd() {
  [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]] && { builtin compadd "$@"; return }
  local -a found
  builtin compadd -O found "$@"
  (( $#found )) && builtin print -rl -- "<match>"${^found}
  builtin compadd "$@"
}
finish() { builtin print -r -- '<end>' }
comppostfuncs=(finish)
bindkey '^I' complete-word
print -r -- '<re''ady>'
"""


def output(*command, expect=0, stdin=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, input=stdin)
    assert done.returncode == expect, f"{command}: {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def completion(program, shell):
    return output(BIN / program, *(["completion", shell] if program == "pintle" else ["--print-completion", shell]))


def man_page(program):
    return output(BIN / program, "man" if program == "pintle" else "--print-man")


def options_of_help(*command):
    """The options that --help of the command lists at the start of a line."""
    options = set()
    for line in output(BIN / command[0], *command[1:], "--help").splitlines():
        for name in re.findall(r"^  (?:-\w,)?(--\S+)", line):
            name = name.split(" ")[0]
            options |= {name.replace("[no-]", ""), name.replace("[no-]", "no-")}
        options |= set(re.findall(r"^  (-\w),", line))
    assert len(options) > 1, f"{command} --help lists {options}"
    return options


class Completions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def bash(self, program, *words):
        """The completions of the last word in bash, which splits the command line also at "="."""
        script = self.write("bash", completion(program, "bash"))
        function = re.search(r"complete -F (\S+)", script.read_text())[1]
        code = (f'. {script}; words=("$@"); COMP_WORDS=("${{words[@]}}"); COMP_CWORD=$((${{#words[@]}} - 1)); '
                f'{function}; printf "%s\\n" "${{COMPREPLY[@]}}"')
        return set(output("bash", "-c", "cd \"$0\"; " + code, self.folder, program, *words).split())

    def test_bash_completes_the_flags_of_an_operator(self):
        self.assertEqual(self.bash(OPERATOR, ""), options_of_help(OPERATOR))
        self.assertEqual(self.bash(OPERATOR, "--log-l"), {"--log-level"})
        self.assertEqual(self.bash(OPERATOR, "--no-t"), {"--no-tls"})

    def test_bash_completes_values(self):
        policies = {"never", "if_missing", "upgrade", "adopt"}
        self.assertEqual(self.bash(OPERATOR, "--crds", ""), policies)
        self.assertEqual(self.bash(OPERATOR, "--crds", "="), policies)
        self.assertEqual(self.bash(OPERATOR, "--crds", "=", "up"), {"upgrade"})
        self.assertEqual(self.bash(OPERATOR, "--tls", "--crds", "n"), {"never"})
        self.assertEqual(self.bash(OPERATOR, "--listen", ""), set())
        self.write("operator.yaml", "")
        (self.folder / "operators").mkdir()
        self.assertEqual(self.bash(OPERATOR, "--config", "oper"), {"operator.yaml", "operators"})
        self.assertEqual(self.bash(OPERATOR, "--state-dir", "oper"), {"operators"})

    def test_bash_completes_commands(self):
        commands = {"dev", "gen", "completion", "man"}
        self.assertLessEqual(commands, self.bash("pintle", ""))
        self.assertEqual(self.bash("pintle", "ge"), {"gen"})
        self.assertLessEqual({"types", "crd"}, self.bash("pintle", "gen", ""))
        self.assertEqual(self.bash("pintle", "gen", "t"), {"types"})
        self.assertEqual(self.bash("pintle", "completion", "f"), {"fish"})
        self.assertEqual(self.bash("pintle", "new", "--pattern", ""), PATTERNS)
        self.assertEqual(self.bash("pintle", "doctor", "--format", "j"), {"json"})
        for command in COMMANDS:
            self.assertEqual(self.bash("pintle", *command, "-"), options_of_help("pintle", *command), command)
        self.write("crds.yaml", "")
        self.assertEqual(self.bash("pintle", "gen", "types", "--force", "crd"), {"crds.yaml"})
        self.assertEqual(self.bash("pintle", "dev", "--token", "gen", "--tls-"), {"--tls-record-size"})

    def test_the_other_shells_accept_their_scripts(self):
        for shell in "zsh", "fish":
            if shutil.which(shell) is None:
                print(f"not checked, because {shell} is not installed: the syntax of its completions")
                continue
            for program in OPERATOR, "pintle":
                self.assertEqual(output(shell, "-n", self.write(shell, completion(program, shell))), "")

    def test_zsh_completes(self):
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not installed")

        def zsh(program, line):
            script = self.write("zsh", completion(program, "zsh"))
            setup = self.write("setup", f"script={script}\n{ZSH_SETUP}")
            driver = self.write("driver", ZSH_DRIVER)
            return set(output("zsh", "-f", driver, setup, f"{program} {line}").splitlines())

        self.assertEqual({name.rstrip("=") for name in zsh(OPERATOR, "-")}, options_of_help(OPERATOR))
        self.assertEqual(zsh(OPERATOR, "--crds "), {"never", "if_missing", "upgrade", "adopt"})
        self.assertLessEqual({"dev", "gen", "completion", "man"}, zsh("pintle", ""))
        self.assertEqual(zsh("pintle", "gen t"), {"types"})
        self.assertEqual(zsh("pintle", "completion z"), {"zsh"})
        self.assertEqual(zsh("pintle", "new --pattern "), PATTERNS)
        for command in COMMANDS:
            found = {name.rstrip("=") for name in zsh("pintle", " ".join(command) + " -")}
            self.assertEqual(found, options_of_help("pintle", *command), command)

    def test_fish_completes(self):
        if shutil.which("fish") is None:
            self.skipTest("fish is not installed")

        def fish(program, line):
            script = self.write("fish", completion(program, "fish"))
            code = f"source {script}; complete -C '{program} {line}'"
            return {entry.split("\t")[0] for entry in output("fish", "--no-config", "-c", code).splitlines()}

        long_options = {name for name in options_of_help(OPERATOR) if name.startswith("--")}
        self.assertEqual(fish(OPERATOR, "--"), long_options)
        self.assertEqual(fish(OPERATOR, "--crds "), {"never", "if_missing", "upgrade", "adopt"})
        self.assertEqual(fish(OPERATOR, "--crds=u"), {"--crds=upgrade"})
        self.assertLessEqual({"dev", "gen", "completion", "man"}, fish("pintle", ""))
        self.assertEqual(fish("pintle", "gen t"), {"types"})
        self.assertEqual(fish("pintle", "completion z"), {"zsh"})
        self.assertEqual(fish("pintle", "new --pattern "), PATTERNS)
        for command in COMMANDS:
            options = {name for name in options_of_help("pintle", *command) if name.startswith("--")}
            self.assertEqual(fish("pintle", " ".join(command) + " --"), options, command)

    def test_the_scripts_of_all_shells_have_the_patterns(self):
        for shell in "zsh", "fish":
            self.assertIn("plain crud external phased watcher service guard", completion("pintle", shell))

    def test_the_scripts_of_all_shells_have_the_options_of_help(self):
        wanted = options_of_help(OPERATOR)
        zsh = re.findall(r"'\*(--?[\w-]+)", completion(OPERATOR, "zsh"))
        self.assertEqual(set(zsh), wanted)
        fish = completion(OPERATOR, "fish")
        self.assertEqual({"--" + name for name in re.findall(r"(?m)^complete .* -l (\S+)", fish)} | {"-h"}, wanted)
        self.assertIn(" -s h -l help ", fish)

    def test_man_pages_have_the_options_of_help(self):
        def options(page):
            lines = [line for line in page.splitlines() if line.startswith("\\fB\\-")]
            return set(re.findall(r"\\fB(--?[\w-]+)\\fR", "\n".join(lines).replace("\\-", "-")))

        self.assertEqual(options(man_page(OPERATOR)), options_of_help(OPERATOR))
        page = man_page("pintle")
        for command in COMMANDS:
            section = page.split(".SS pintle " + " ".join(command).replace("-", "\\-") + "\n")
            self.assertEqual(len(section), 2, command)
            self.assertEqual(options(section[1].split("\n.S")[0]), options_of_help("pintle", *command))

    def test_the_synopsis_has_all_arguments(self):
        for command, arguments in [(("new",), "NAME"), (("gen", "crd"), "PROGRAM [ARGUMENT]..."),
                                   (("simulate",), "PROGRAM [ARGUMENT]..."), (("why",), "KIND NAME")]:
            usage = next(line for line in output(BIN / "pintle", *command, "--help").splitlines() if "Usage:" in line)
            self.assertEqual(usage, f"Usage: pintle {' '.join(command)} [OPTIONS] {arguments}")
        self.assertIn("pintle new\\fR [\\fIOPTION\\fR]... \\fINAME\\fR\n", man_page("pintle"))

    def test_man_pages_are_formatted_without_a_warning(self):
        for program in OPERATOR, "pintle":
            page = self.write(f"{program}.1", man_page(program))
            if shutil.which("man") is None:
                print("not checked, because man is not installed: the layout of the man pages")
            else:
                done = subprocess.run(["man", "--warnings", "-l", "-Tutf8", page], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("EXIT STATUS", re.sub(r"\x1b\[\d+m|.\x08", "", done.stdout))
            if shutil.which("mandoc") is None:
                print("not checked, because mandoc is not installed: the rules of mandoc -T lint")
            else:
                done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True)
                # The page has no date, so that the same program always prints the same page.
                self.assertEqual([line for line in done.stdout.splitlines() if "missing date" not in line], [])


class Hints(unittest.TestCase):
    def test_mistyped_commands_and_options_get_a_suggestion(self):
        for arguments, message in {
            ("deb",): '"deb" is not one of',
            ("gen", "typs"): '"typs" is not one of',
            ("--versoin",): '"--versoin" is not an option; did you mean --version?',
            ("dev", "--lisen", "x"): '"--lisen" is not an option; did you mean --listen?',
            ("dev", "--lisen=x"): '"--lisen" is not an option; did you mean --listen?',
            ("dev", "--token", "--lisen", "--kubeconfg"): '"--kubeconfg" is not an option; did you mean --kubeconfig?',
            ("gen", "types", "--forse", "f"): '"--forse" is not an option; did you mean --force?',
            ("gen", "crd", "--uot", "d"): '"--uot" is not an option; did you mean --out?',
            ("nwe",): '"nwe" is not one of',
            ("--hepl",): '"--hepl" is not an option; did you mean --help?',
            ("dev", "--load-"): '"--load-" is not an option; did you mean --load?',
        }.items():
            text = output(BIN / "pintle", *arguments, expect=2)
            self.assertTrue(text.startswith("pintle: " + message), text)
            self.assertEqual(text.count("\n"), 1, text)
        for arguments, name in {("deb",): "dev", ("nwe",): "new", ("migrate",): "migrate-storage",
                                ("gen", "typs"): "types"}.items():
            self.assertIn(f"; did you mean {name}?", output(BIN / "pintle", *arguments, expect=2))

    def test_wrong_arguments_are_named_with_a_remedy(self):
        for arguments, message in {
            (): "pintle: a command is missing; use one of dev, gen, ",
            ("gen",): "pintle gen: a command is missing; use one of types, crd ",
            ("why", "greeting"): "pintle why: NAME, --operator are missing; write pintle why [OPTION]... KIND NAME ",
            ("man", "x"): 'pintle man: "x" is not expected; write pintle man [OPTION]... ',
            ("completion", "tcsh"): 'pintle completion: SHELL: "tcsh" is not one of bash, zsh, fish ',
            ("doctor", "--format", "jsn"): 'pintle doctor: --format: "jsn" is not one of text, json; did you mean json? ',
            ("dev", "--listen"): "pintle dev: --listen has no value; write it as --listen HOST:PORT ",
        }.items():
            text = output(BIN / "pintle", *arguments, expect=2)
            self.assertTrue(text.startswith(message), text)
            self.assertTrue(text.endswith(" --help lists the arguments)\n"), text)
            self.assertEqual(text.count("\n"), 1, text)

    def test_the_arguments_of_another_program_are_not_checked(self):
        self.assertIn("kind: CustomResourceDefinition",
                      output(BIN / "pintle", "gen", "crd", BIN / OPERATOR, "--log-level", "debug"))


if __name__ == "__main__":
    unittest.main()
