# SPDX-License-Identifier: Apache-2.0
"""Finds broken links in a folder of static HTML files.

  links.py FOLDER       prints one line for each broken link; exits 1 if there is one
  links.py --self-test  breaks every rule and checks that it is found

Each link and each embedded file must exist below the folder, with the identifier that its fragment names. Addresses
that begin with "/" are errors, because the site must work below any path. Addresses of other hosts are not requested;
they must be absolute https or mailto addresses without spaces.
"""

import html
import posixpath
import re
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

TAG = re.compile(r"<([a-zA-Z][\w-]*)((?:\s+[\w:-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?)*)\s*/?>")
ATTRIBUTE = re.compile(r"([\w:-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
LINKS = {"href", "src"}
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
GOOD_EXTERNAL = re.compile(r"https://[\w-]+(\.[\w-]+)+(:\d+)?(/\S*)?|mailto:\S+@\S+", re.I)


class File:
    """The identifiers and the links of one HTML file."""

    def __init__(self, text):
        self.identifiers, self.links, self.repeated = set(), [], []
        for tag in TAG.finditer(text):
            for name, *values in ATTRIBUTE.findall(tag[2]):
                value = html.unescape(next((value for value in values if value), ""))
                if name == "id":
                    if value in self.identifiers:
                        self.repeated.append(value)
                    self.identifiers.add(value)
                elif name in LINKS:
                    self.links.append((tag[1], value))


def resolve(page, address):
    """Returns the path below the folder, without a fragment; None if it is outside."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(address)))
    return None if path.startswith("../") or path == ".." else path


def problem_of(page, link, files, others):
    """Returns why a link is broken, or None."""
    if EXTERNAL.match(link):
        return None if GOOD_EXTERNAL.fullmatch(link) else "is no https address"
    if link.startswith("/"):
        return "begins with /, so it works at the root of a host only"
    address, _, fragment = link.partition("#")
    target = resolve(page, address) if address else page
    if target is None:
        return "leads out of the site"
    if target not in files:
        if target in others:
            return None
        return f"leads to {target}, which does not exist"
    if fragment and unquote(fragment) not in files[target].identifiers:
        return f"leads to {target}, which has no identifier \"{fragment}\""
    return None


def check(folder):
    """Returns the broken links as texts, the number of files and the number of links."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    files = {name: File(path.read_text(encoding="utf-8")) for name, path in paths.items() if name.endswith(".html")}
    others = set(paths) - set(files)
    findings, count = [], 0
    for name, file in sorted(files.items()):
        findings += [f"{name}: two elements have the identifier \"{identifier}\"" for identifier in file.repeated]
        for link in sorted({link for _, link in file.links}):
            count += 1
            problem = problem_of(name, link, files, others)
            if problem:
                findings.append(f"{name}: the link {link} {problem}")
    return findings, len(files), count


# (file, text, a part of the finding): exactly one finding, or none if the part is empty.
CASES = (
    ("a.html", '<a href="b/c.html">', ""),
    ("a.html", '<a href="b/c.html#two">', ""),
    ("a.html", '<a id="x" href="#x">', ""),
    ("a.html", "<a href='b/c.html#one%20two'>", ""),
    ("a.html", '<link href="style.css"><img src="style.css">', ""),
    ("a.html", '<a href="https://example.com/a#b">', ""),
    ("a.html", "&lt;a href=&quot;nothing.html&quot;&gt;", ""),
    ("b/d.html", '<a href="../a.html">', ""),
    ("a.html", '<a href="none.html">', "leads to none.html, which does not exist"),
    ("a.html", '<a href="b">', "leads to b, which does not exist"),
    ("a.html", '<a\n  class="x"\n  href="b/none.html">', "leads to b/none.html"),
    ("a.html", '<a href="b/c.html#three">', 'no identifier "three"'),
    ("a.html", '<a href="#none">', 'no identifier "none"'),
    ("a.html", '<a href="/b/c.html">', "begins with /"),
    ("a.html", '<a href="../a.html">', "leads out of the site"),
    ("a.html", '<a href="http://example.com/">', "is no https address"),
    ("a.html", '<a href="file:///etc/passwd">', "is no https address"),
    ("a.html", '<script src="none.js">', "leads to none.js"),
    ("a.html", '<i id="x"></i><i id="x"></i>', "two elements"),
    ("b/d.html", '<a href="c.html#One">', 'no identifier "One"'),
)


def self_test():
    failed = 0
    for name, text, part in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "b").mkdir()
            for path, content in {"a.html": "", "style.css": "", "b/c.html": '<p id="one two"><p id="two"><p id="one">',
                                  name: text}.items():
                (root / path).write_text(content, encoding="utf-8")
            findings = check(root)[0]
        if len(findings) != (1 if part else 0) or part and part not in findings[0]:
            print(f"links: self-test: {text!r} in {name}: expected {part!r}, found {findings}", file=sys.stderr)
            failed += 1
    if not failed:
        print(f"links: {sum(1 for case in CASES if case[2])} broken links found, "
              f"{sum(1 for case in CASES if not case[2])} good ones accepted")
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    findings, files, links = check(Path(arguments[0]))
    for finding in findings:
        print(f"links: {finding}", file=sys.stderr)
    print(f"links: {len(findings)} broken links among {links} in {files} files")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
