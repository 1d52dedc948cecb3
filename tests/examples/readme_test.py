"""Checks that the README shows the hello operator as it is built, with at most 30 lines."""
import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[2]
example = (root / "examples/01-hello/main.cpp").read_text()
blocks = re.findall(r"```cpp\n(.*?)```", (root / "README.md").read_text(), re.S)
assert example in blocks, "README.md does not show examples/01-hello/main.cpp as it is"
assert len(example.splitlines()) <= 30, f"examples/01-hello/main.cpp has {len(example.splitlines())} lines, at most 30 are promised"
print("the README shows the example")
