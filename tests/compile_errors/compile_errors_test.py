#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what the compiler reports for typical mistakes of users.

  compile_errors_test.py CASES COMPILER [FLAG ...]

Each file in the folder CASES must compile, and must not compile with -DWITH_ERROR. Its first line is the expected text:
`// first error: TEXT` must be in the first line with "error:", `// error: TEXT` in any of them.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CASES, COMMAND = Path(sys.argv[1]), sys.argv[2:]


def compile_case(case, with_error):
    command = [*COMMAND, "-fsyntax-only", "-Werror=unused-result", *(["-DWITH_ERROR"] if with_error else []), str(case)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    return done.returncode, [line for line in done.stderr.splitlines() if re.search(r"\berror: ", line)]


class CompileErrors(unittest.TestCase):
    def test_name_the_mistake(self):
        cases = sorted(CASES.glob("*.cpp"))
        self.assertGreaterEqual(len(cases), 5)
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
            # Most of the time goes into this header, so it is compiled once.
            header = Path(folder, "pintle.hpp")
            header.write_text("#include <pintle/pintle.hpp>\n", encoding="utf-8")
            subprocess.run([*COMMAND, "-x", "c++-header", str(header), "-o", f"{header}.gch"], check=True)
            COMMAND.extend(["-include", str(header)])
            results = pool.map(lambda case: (compile_case(case, False), compile_case(case, True)), cases)
            for case, ((correct, found), (wrong, errors)) in zip(cases, results):
                with self.subTest(case.stem):
                    first, text = re.search(r"^// (first )?error: (.+)$", case.read_text(encoding="utf-8"), re.M).groups()
                    self.assertEqual((correct, found), (0, []))
                    self.assertNotEqual(wrong, 0)
                    self.assertIn(text, errors[0] if first else "\n".join(errors))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
