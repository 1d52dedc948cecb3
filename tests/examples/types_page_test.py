"""Checks that the code in docs/types.md is compiled and tested."""
import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[2]
tested = (root / "src/object/types_page_test.cpp").read_text()
blocks = re.findall(r"```cpp\n(.*?)```", (root / "docs/types.md").read_text(), re.S)
assert blocks, "docs/types.md shows no code"
for block in blocks:
    assert block in tested, f"src/object/types_page_test.cpp does not have this part of docs/types.md:\n{block}"
print(f"{len(blocks)} pieces of code are as tested")
