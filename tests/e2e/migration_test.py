# SPDX-License-Identifier: Apache-2.0
"""The CronJob example: the commands of docs/migrate-from-controller-runtime.md have the output that the page shows.

usage: migration_test.py BIN_DIR     (KUBECTL names another kubectl than the one on PATH)
"""
import pathlib
import tempfile
import unittest

from webhook_test import PORT_OF_THE_PAGE, ROOT, Session, commands_of, free_port

PAGE = ROOT / "docs" / "migrate-from-controller-runtime.md"


class Migration(unittest.TestCase):
    def test_the_commands_of_the_page_have_its_output(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        session = Session(pathlib.Path(folder.name))
        self.addCleanup(session.running.close)
        commands = commands_of(PAGE.read_text().replace(PORT_OF_THE_PAGE, free_port()))
        self.assertGreater(len(commands), 4)
        is_starting = False
        for command, output in commands:
            seen = session.run_until(command, output) if is_starting else session.run(command)
            self.assertEqual(seen, output, f"$ {command}\n{session.log()}")
            is_starting = command.endswith("&")


if __name__ == "__main__":
    unittest.main(verbosity=1)
