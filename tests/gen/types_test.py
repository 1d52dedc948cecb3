# SPDX-License-Identifier: Apache-2.0
"""Runs `pintle gen types` and `pintle gen crd` as a user does.

usage: types_test.py BIN_DIR
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev/bin").resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/gen"
OPENAPI = ROOT / "tests/data/k8s/openapi"

CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.demo.example.com}
spec:
  group: demo.example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: SPEC}}}
"""


def gen(*arguments):
    return subprocess.run([BIN / "pintle", "gen", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="crd.yaml"):
        path = self.folder / name
        path.write_text(text)
        return path


class Commands(Case):
    def test_that_are_unknown_are_named_with_the_nearest(self):
        for words, parts in [(["devv"], ['"devv" is not one of dev, gen', "did you mean dev?"]),
                             (["gen", "type"], ['"type" is not one of types, crd', "did you mean types?"]),
                             (["xyzzy"], ['"xyzzy" is not one of dev, gen']),
                             (["--versoin"], ['"--versoin" is not an option']),
                             (["gen", "-x", "types"], ['"-x" is not an option']),
                             (["\x1b[2J"], ["\\x1b[2J"])]:
            done = subprocess.run([BIN / "pintle", *words], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, words)
            for part in parts:
                self.assertIn(part, done.stderr)
            self.assertNotIn("\x1b", done.stderr)
            self.assertNotIn("subcommand is required", done.stderr)


class TypesOfCrds(Case):
    def test_are_the_header_that_the_tests_compile(self):
        done = gen("types", HERE / "crds/database.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, (HERE / "shop/v1.hpp").read_text())
        self.assertIn("/properties/flags/items: a list of booleans becomes a list of json::Value\n", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_are_formatted_as_the_repository_is(self):
        formatter = shutil.which("clang-format-16")
        if formatter is None:
            self.skipTest("skipped: no clang-format-16")
        texts = {"shop/v1.hpp": (HERE / "shop/v1.hpp").read_text()}
        for name, text in texts.items():
            done = subprocess.run([formatter, f"--style=file:{ROOT}/.clang-format"], input=text, capture_output=True,
                                  text=True, check=True)
            self.assertEqual(done.stdout, text, name)

    def test_stand_in_the_namespace_that_is_asked_for(self):
        done = gen("types", "--namespace", "acme::operators", HERE / "crds/database.yaml")
        self.assertIn("namespace acme::operators::shop::v1 {", done.stdout)

    def test_of_several_versions_are_several_files(self):
        crd = CRD.replace("SPEC", "{type: object, properties: {a: {type: string}}}")
        both = crd + crd[crd.index("    - name: v1"):].replace("v1\n", "v2\n", 1)
        path = self.write(both)
        refused = gen("types", path)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("set --out", refused.stderr)
        done = gen("types", "--out", self.folder / "out", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(files_below(self.folder / "out")), ["demo/v1.hpp", "demo/v2.hpp"])

    def test_belong_to_another_operator(self):
        done = gen("types", self.write(CRD.replace("SPEC", "{type: object}")))
        self.assertIn("static constexpr bool foreign = true;", done.stdout)

    def test_of_a_second_run_do_not_silently_replace_those_of_the_first(self):
        out = self.folder / "out"
        first = self.write(CRD.replace("SPEC", "{type: object}"))
        other = self.write(CRD.replace("SPEC", "{type: object}").replace("Widget", "Gadget").replace("widgets", "gadgets"),
                           "other.yaml")
        self.assertEqual(gen("types", "--out", out, first).returncode, 0)
        before = files_below(out)
        refused = gen("types", "--out", out, other)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("demo/v1.hpp has types that would be lost: ", refused.stderr)
        self.assertIn("Widget", refused.stderr)
        self.assertEqual(files_below(out), before)
        self.assertEqual(gen("types", "--out", out, first, other).returncode, 0)
        self.assertIn("struct Widget {", files_below(out)["demo/v1.hpp"])
        self.assertIn("struct Gadget {", files_below(out)["demo/v1.hpp"])
        self.assertEqual(gen("types", "--out", out, "--force", other).returncode, 0)
        self.assertNotIn("Widget", files_below(out)["demo/v1.hpp"])

    def test_of_two_groups_with_one_first_word_do_not_replace_each_other(self):
        out = self.folder / "out"
        self.assertEqual(gen("types", "--out", out, self.write(CRD.replace("SPEC", "{type: object}"))).returncode, 0)
        other = self.write(CRD.replace("SPEC", "{type: object}").replace("demo.example.com", "demo.example.org"), "other.yaml")
        refused = gen("types", "--out", out, other)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("demo.example.com/v1", refused.stderr)

    def test_that_were_changed_by_hand_stay(self):
        out = self.folder / "out"
        crd = CRD.replace("SPEC", "{type: object, properties: {a: {type: string}}}")
        self.assertEqual(gen("types", "--out", out, self.write(crd)).returncode, 0)
        header = out / "demo/v1.hpp"
        newer = self.write(crd.replace("{a:", "{b: {type: string}, a:"))
        self.assertEqual(gen("types", "--out", out, newer).returncode, 0)
        edited = header.read_text().replace("  static constexpr bool foreign = true;\n", "")
        header.write_text(edited)
        refused = gen("types", "--out", out, self.write(crd))
        self.assertEqual(refused.returncode, 2)
        self.assertIn("demo/v1.hpp was changed by hand", refused.stderr)
        self.assertEqual(header.read_text(), edited)
        self.assertEqual(gen("types", "--out", out, "--force", newer).returncode, 0)

    def test_bring_no_control_character_to_a_terminal(self):
        crd = CRD.replace("SPEC", '{type: object, description: "\\e]0;owned\\a text", properties: {a: {type: "x\\e[2J"}}}')
        done = gen("types", self.write(crd))
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        done = gen("types", self.write(crd.replace("x\\e[2J", "string")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_say_what_could_not_be_carried_over(self):
        path = self.write(CRD.replace("SPEC", "{type: object, properties: {a: {type: string, not: {enum: [x]}}}}"))
        done = gen("types", path)
        self.assertEqual(done.returncode, 0)
        self.assertIn("crd.yaml: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a/not: ", done.stderr)

    def test_say_which_rules_do_not_fit_their_type(self):
        properties = """
            number: {type: integer, enum: [1, 2], maximum: 2}
            ratio: {type: number, enum: [0.5]}
            enabled: {type: boolean, enum: [true]}
            port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], pattern: "^a", maxLength: 3}
            size: {x-kubernetes-int-or-string: true, oneOf: [{type: integer, minimum: 1}, {type: string}]}
            certificate: {type: string, format: byte, maxLength: 4}
            since: {type: string, format: date-time, pattern: "^2", minLength: 1}
            address: {type: string, format: ipv4, maxLength: 15}
            both: {type: string, allOf: [{maxLength: 3}], exclusiveMinimum: false}
            anything: {type: object, x-kubernetes-preserve-unknown-fields: true, minProperties: 1}
            part: {type: object, maxProperties: 2, properties: {a: {type: string}}}
            labels: {type: object, maxProperties: 2, additionalProperties: {type: string, maxLength: 3, format: uri}}
            levels: {type: array, maxItems: 4, items: {type: integer, enum: [1], minimum: 1}}
            flags: {type: array, items: {type: boolean}}
            rows:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [a, b, c, d, e]
              items:
                type: object
                required: [a, b, c, d, e]
                properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}, e: {type: string}}
            whole:
              type: object
              x-kubernetes-embedded-resource: true
              x-kubernetes-validations: [{rule: "self.spec.a != ''", message: a is set}]
              properties: {spec: {type: object, properties: {a: {type: string}}}}
            ready:
              type: object
              x-kubernetes-validations: [{rule: "self.status != 'Unknown'", message: is known}]
              required: [lastTransitionTime, message, reason, status, type]
              properties:
                lastTransitionTime: {type: string, format: date-time}
                message: {type: string}
                reason: {type: string}
                status: {type: string}
                type: {type: string}"""
        crd = CRD.replace("{openAPIV3Schema: {type: object, properties: {spec: SPEC}}}", f"""
        openAPIV3Schema:
          type: object
          minProperties: 2
          properties:
            spec:
              type: object
              properties:{properties.replace(chr(10), chr(10) + "    ")}
            status:
              type: object
              x-kubernetes-preserve-unknown-fields: true
              x-kubernetes-validations: [{{rule: "has(self.a)", message: has a}}]
""")
        done = gen("types", self.write(crd))
        self.assertEqual(done.returncode, 0, done.stderr)
        wanted = [f"properties/spec/properties/{place}" for place in [
            "number/enum", "ratio/enum", "enabled/enum", "port/pattern", "port/maxLength", "size/oneOf",
            "certificate/maxLength", "since/pattern", "since/minLength", "address/format", "both/allOf",
            "anything/minProperties", "part/maxProperties", "labels/additionalProperties/maxLength",
            "labels/additionalProperties/format", "levels/items/enum", "levels/items/minimum", "flags/items",
            "rows/x-kubernetes-list-map-keys", "whole/x-kubernetes-validations"]]
        wanted += ["minProperties", "properties/status/x-kubernetes-validations"]
        places = [line.split("openAPIV3Schema/")[1].split(": ")[0] for line in done.stderr.splitlines()]
        self.assertEqual(sorted(places), sorted(wanted), done.stderr)
        for rule in ["maximum(2)", "max_length(15)", "max_items(4)", "max_items(2)", "self.status != 'Unknown'"]:
            self.assertIn(rule, done.stdout)

    def test_say_that_rules_of_the_whole_are_not_carried_over(self):
        path = self.write(CRD.replace("{type: object, properties: {spec: SPEC}}",
                                      "{type: object, properties: {spec: {type: object}}, "
                                      "x-kubernetes-validations: [{rule: 'true'}]}"))
        done = gen("types", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("openAPIV3Schema/x-kubernetes-validations: is not carried over", done.stderr)

    def test_have_no_sources_of_their_own(self):
        out = self.folder / "out"
        done = gen("types", "--out", out, "--sources", out, self.write(CRD.replace("SPEC", "{type: object}")))
        self.assertEqual(done.returncode, 2)
        self.assertIn("crd.yaml: is a CRD", done.stderr)
        self.assertFalse(out.exists())

    def test_refuse_what_they_cannot_say(self):
        def crd(spec):
            return CRD.replace("SPEC", spec)

        for text, wanted in [
            (crd("{type: object, properties: {a: {type: file}}}"), 'properties/a: type "file" is not one of'),
            (crd("{type: object, properties: {a: {type: array}}}"), "properties/a: a list without items"),
            (crd("{type: object, properties: {a-b: {type: string}, aB: {type: string}}}"), "properties/aB: there is no free C++ name"),
            (crd("{type: object, properties: {'+': {type: string}}}"), "properties/+: there is no free C++ name"),
            (crd("{type: object, properties: {a: {$ref: '#/b'}}}"), "properties/a: #/b is a reference"),
            (crd("{type: object, properties: {a: {type: string, enum: []}}}"), "a/enum: is empty"),
            (crd("{type: object, properties: {a: {type: string, enum: [x, off, null]}}}"), "a/enum/1: false is not a string"),
            (crd("{type: object, properties: {a: {type: string, enum: [x], default: y}}}"), "a/default: the default is"),
            (crd("{type: object, properties: {a: {type: object, properties: {b: {type: string}}, "
                 "additionalProperties: {type: string}}}}"), "properties/a: has both"),
            (crd("{}").replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"), "is not supported"),
            (crd("{}").replace("{openAPIV3Schema: ", "{other: "), "openAPIV3Schema: is missing"),
            (crd("{}").replace("  group: demo.example.com\n", ""), "/spec/group: is missing"),
            (crd("{}") + "---\n" + crd("{}"), "Widget is defined twice"),
            ("kind: Pod\n", "neither an OpenAPI v3 document"),
            ("", "neither an OpenAPI v3 document"),
            ("a: [\n", "line 2"),
        ]:
            with self.subTest(wanted):
                done = gen("types", self.write(text))
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(wanted, done.stderr)
                self.assertIn("crd.yaml", done.stderr)
                self.assertEqual(done.stdout, "")

    def test_name_the_document_within_its_file(self):
        first = self.write(CRD.replace("SPEC", "{type: object}"), "first.yaml")
        bad = CRD.replace("SPEC", "{type: file}").replace("Widget", "Gadget").replace("widgets", "gadgets")
        done = gen("types", first, self.write("kind: Pod\n---\n" + bad))
        self.assertIn("crd.yaml: document 2: /spec/versions/0", done.stderr)

    def test_refuse_a_namespace_that_cxx_does_not_allow(self):
        path = self.write(CRD.replace("SPEC", "{type: object}"))
        for name in ["a b", "class", "a::", "1a", "a:b", "a::new"]:
            with self.subTest(name):
                done = gen("types", "--namespace", name, path)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(f'--namespace "{name}" is not a name such as acme', done.stderr)

    def test_compile_with_odd_defaults_bounds_and_names(self):
        long = "a" * 95
        path = self.write(CRD.replace("SPEC", f"""{{type: object, properties: {{
          level: {{type: string, enum: ["", x], default: ""}},
          port: {{x-kubernetes-int-or-string: true, default: 0}},
          since: {{type: string, format: date-time, default: ""}},
          low: {{type: integer, minimum: -9223372036854775808, maximum: 18446744073709551615}},
          EOF: {{type: object, description: "{long} \\\\ bbbbbbbbbbbbbbbbb", properties: {{a: {{type: string}}}}}}}}}}"""))
        done = gen("types", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ['pintle::field("level", &Spec::level).default_value(Level::empty),',
                     'pintle::field("port", &Spec::port).default_json("0"),',
                     'pintle::field("since", &Spec::since),',
                     '.minimum(-9223372036854775807 - 1)',
                     '.maximum(18446744073709551615.0)',
                     'struct SpecEOF {']:
            self.assertIn(line, done.stdout)
        self.assertNotIn("\\\n", done.stdout)

    def test_name_objects_whose_unknown_members_are_not_read(self):
        done = gen("types", self.write(CRD.replace("SPEC", "{type: object, properties: {a: {type: object, "
                                                   "x-kubernetes-preserve-unknown-fields: true, "
                                                   "properties: {b: {type: string}}}}}")))
        self.assertIn("/a/x-kubernetes-preserve-unknown-fields: members without a schema are not read", done.stderr)

    def test_need_a_file_that_is_there(self):
        done = gen("types", self.folder / "none.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("none.yaml: No such file", done.stderr)


class TypesOfKubernetes(Case):
    def test_are_those_of_the_repository(self):
        done = subprocess.run([ROOT / "scripts/generate-api", OPENAPI, self.folder], capture_output=True, text=True,
                              timeout=60, env={"PINTLE": str(BIN / "pintle"), "PATH": "/usr/bin:/bin"})
        self.assertEqual(done.returncode, 0, done.stderr)
        written = files_below(self.folder)
        self.assertGreater(len(written), 40)
        kept = {name: (ROOT / name).read_text() for name in written if (ROOT / name).exists()}
        self.assertEqual(kept, written)

    def test_are_taken_from_pintle_elsewhere(self):
        path = self.write("""{"components": {"schemas": {
          "io.k8s.api.core.v1.LocalObjectReference": {"type": "object", "properties": {"name": {"type": "string"}}},
          "com.example.demo.v1.Widget": {"type": "object", "properties": {
            "secret": {"allOf": [{"$ref": "#/components/schemas/io.k8s.api.core.v1.LocalObjectReference"}]},
            "parts": {"type": "array", "items": {"$ref": "#/components/schemas/com.example.demo.v1.Widget"}}}}}}}""",
                          "openapi.json")
        done = gen("types", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("#include <pintle/api/core/v1.hpp>", done.stdout)
        self.assertIn("pintle::OptionalBox<pintle::api::core::v1::LocalObjectReference> secret{};", done.stdout)
        self.assertIn("std::vector<pintle::Box<Widget>> parts{};", done.stdout)
        self.assertNotIn("struct LocalObjectReference", done.stdout)

    def test_need_every_schema_that_is_named(self):
        path = self.write("""{"components": {"schemas": {"com.example.demo.v1.Widget": {"type": "object", "properties": {
          "a": {"$ref": "#/components/schemas/com.example.demo.v1.Other"}}}}}}""", "openapi.json")
        done = gen("types", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("openapi.json: /components/schemas/com.example.demo.v1.Widget/properties/a: there is no schema "
                      "#/components/schemas/com.example.demo.v1.Other", done.stderr)


class CrdsOfAProgram(Case):
    def program(self, body):
        path = self.write("#!/bin/sh\n" + body, "program")
        path.chmod(0o755)
        return path

    def test_are_printed(self):
        done = gen("crd", BIN / "hello-operator")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("---\napiVersion: apiextensions.k8s.io/v1\n"), done.stdout)
        self.assertIn("name: greetings.demo.pintle.dev", done.stdout)

    def test_are_written_to_a_file_each(self):
        done = gen("crd", "--out", self.folder / "crds", BIN / "hello-operator")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(files_below(self.folder / "crds")), ["greetings.demo.pintle.dev.yaml"])
        types = gen("types", self.folder / "crds/greetings.demo.pintle.dev.yaml")
        self.assertIn('std::string who = "world";', types.stdout)

    def test_come_from_the_program_with_its_arguments(self):
        program = self.program('[ "$*" = "--mode a --print-crds" ] || exit 1\ncat <<END\n' + CRD.replace("SPEC", "{}") + "END\n")
        done = gen("crd", program, "--mode", "a")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("name: widgets.demo.example.com", done.stdout)

    def test_refuse_what_is_no_operator(self):
        for body, wanted in [
            ("exit 3\n", "program --print-crds failed"),
            ("echo ready\n", "contains something else than CRDs"),
            ("echo 'a: ['\n", "is not YAML"),
            ("\n", "is empty"),
            ("cat <<END\n" + CRD.replace("SPEC", "{}").replace("widgets.demo", "gadgets.demo") + "END\n",
             'has a CRD named "gadgets.demo.example.com"; its group and plural require the name widgets.demo.example.com'),
        ]:
            with self.subTest(wanted):
                done = gen("crd", self.program(body))
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(wanted, done.stderr)
                self.assertEqual(done.stdout, "")
        self.assertIn("cannot run /nowhere/operator: No such file", gen("crd", "/nowhere/operator").stderr)
        self.assertIn("PROGRAM is missing", gen("crd").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
