# SPDX-License-Identifier: Apache-2.0
"""Builds the documentation site: static files, without a server.

  scripts/site                    writes build/site and checks its links; build/site/index.html is the first page
  scripts/site --output DIR       writes another folder; it must be empty or an earlier output
  scripts/site --repository URL   links to sources lead to URL/PATH, such as https://example.com/pintle/blob/main;
                                  without it, the sources are pages of the site
  scripts/site --self-test        checks the pages of a small tree, and the check of the links

The pages are the documents (*.md, docs/, the READMEs of examples/), the public headers and the linked sources. Links,
identifiers and names are checked: each link must lead to an existing page and heading.
"""

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = ".pintle-site"  # the file by which an output of this program is recognized

try:
    import links
    import self_test
    from api import Api
    from documents import Documents
    from layout import document_of
    from sources import Sources
except ModuleNotFoundError as error:
    print(f"site: the Python package {error.name} is not installed; run scripts/setup", file=sys.stderr)
    sys.exit(2)


def version():
    return re.search(r"project\(pintle VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def prepare(output):
    """Empties the output folder. Refuses to delete anything but an earlier output."""
    if output.exists() and any(output.iterdir()) and not (output / MARK).exists():
        sys.exit(f"site: {output} contains other files; specify another --output or empty it")
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    (output / MARK).write_text("", encoding="utf-8")


def write(output, pages, navigation):
    for page in pages:
        path = output / page.path
        if path.exists():
            sys.exit(f"site: two pages have the path {page.path}, one of them from {page.origin}; rename it")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document_of(page, navigation, version()), encoding="utf-8")


def build(output, repository):
    xml = ROOT / "build" / "docs" / "xml"
    if not xml.is_dir():
        sys.exit("site: there is no build/docs/xml; run scripts/docs")
    sources = Sources(ROOT, repository)
    api = Api(ROOT, xml, sources)
    documents = Documents(ROOT, sources, api.names)
    # Before the pages, whose creation replaces the links of the README.
    navigation = [*documents.navigation(), ("Reference", [("api/index.html", "API reference")])]
    pages = [*documents.pages(), *api.pages()]
    for error in documents.errors:
        print(f"site: {error}", file=sys.stderr)
    if documents.errors:
        return 1
    prepare(output)
    write(output, [*pages, *sources.pages()], [("pintle", [("index.html", "Overview")]), *navigation])
    records = [record for page in pages for record in page.records]
    index = json.dumps(records, ensure_ascii=False, separators=(",", ":"))
    # A script instead of a JSON file, because a browser does not read other files of a page that is itself a file.
    (output / "search-index.js").write_text(f"window.pintleIndex = {index};\n", encoding="utf-8")
    for name in ("style.css", "site.js"):
        shutil.copyfile(Path(__file__).parent / name, output / name)
    findings, files, count = links.check(output)
    for finding in findings:
        print(f"site: {finding}", file=sys.stderr)
    print(f"site: {output / 'index.html'}: {files} pages, {count} links, {len(findings)} of them broken, "
          f"{len(records)} entries in the search index")
    return 1 if findings else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/site", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--repository", metavar="URL")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return links.self_test() or self_test.run()
    return build(arguments.output, arguments.repository)


if __name__ == "__main__":
    sys.exit(main())
