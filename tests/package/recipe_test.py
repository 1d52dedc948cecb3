# SPDX-License-Identifier: Apache-2.0
"""Checks that the Conan recipe exports each top-level file and folder that CMake reads."""
import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Read only with options that the recipe does not set.
OPTIONAL = {"benchmarks", "examples", "fuzz", "packaging", "tests"}


def exported_patterns():
    tree = ast.parse((ROOT / "packaging/conan/conanfile.py").read_text())
    export = next(one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and one.name == "export_sources")
    loop = next(one for one in export.body if isinstance(one, ast.For))
    return ast.literal_eval(loop.iter)


def names_that_cmake_reads():
    top = (ROOT / "CMakeLists.txt").read_text()
    names = {"CMakeLists.txt"}
    names |= set(re.findall(r'\b(?:include|add_subdirectory)\("?([\w.-]+)/', top))
    names |= set(re.findall(r"\bpintle_add_programs\(([\w.-]+)", top))
    lists = [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/*.cmake")]
    for folder in ("src", "tools"):
        lists += [*ROOT.glob(f"{folder}/**/CMakeLists.txt"), *ROOT.glob(f"{folder}/**/*.cmake")]
    for path in lists:
        names |= set(re.findall(r"\$\{PROJECT_SOURCE_DIR\}/([\w.-]+)", path.read_text()))
    return names - OPTIONAL


def main():
    patterns = exported_patterns()
    names = names_that_cmake_reads()
    assert {"cmake", "console", "include", "layers.txt", "src", "tools"} <= names, names
    missing = sorted(name for name in names if name not in patterns and f"{name}/*" not in patterns)
    assert not missing, f"packaging/conan/conanfile.py does not export {', '.join(missing)}"
    for pattern in patterns:
        assert any(ROOT.glob(pattern)), f"packaging/conan/conanfile.py: nothing matches {pattern}"
    print("recipe_test: ok")


if __name__ == "__main__":
    main()
