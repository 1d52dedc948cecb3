# SPDX-License-Identifier: Apache-2.0
"""Checks the pages of a small tree. scripts/site --self-test runs it."""

import sys
import tempfile
from pathlib import Path

from documents import Documents
from layout import document_of
from sources import Sources

TREE = {
    "README.md": "# Top\n\n- [x](docs/b.md)\n\n## Documentation\n\nFirst group:\n\n- [b](docs/b.md): a page\n- [a](docs/a.md), "
                 "[b](docs/b.md)\n\nText.\n",
    "docs/a.md": "# Page A: with more\n\n## Same\n\n[other](b.md#part) [here](#same-1) [code](../src/x.cpp) [folder](../src)\n\n"
                 "## Same\n\nCall `Thing::run()` and `Thing`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "docs/b.md": "# Page B\n\n<!-- hidden -->\n## Part\n\n```cpp\nint x = 1;  // <b>\n```\n\n[bad](none.md) [out](https://example.com)\n\nA Result<T>.\n",
    "docs/other/c.md": "# Not listed\n",
    "src/x.cpp": "int main() {}\n",
}
NAMES = {"Thing::run": "api/thing.hpp.html#Thing.run"}


def checks(root):
    """Yields (name, value, expected value)."""
    sources = Sources(root)
    documents = Documents(root, sources, NAMES)
    navigation = documents.navigation()
    pages = {page.path: page for page in documents.pages()}
    a, b = pages["docs/a.html"], pages["docs/b.html"]
    yield "navigation", navigation[0], ("First group", [("docs/b.html", "Page B"), ("docs/a.html", "Page A: with more")])
    yield "pages that are not listed", navigation[1], ("Examples", [("docs/other/c.html", "Not listed")])
    yield "errors", documents.errors, ["docs/b.md:10: the link none.md leads to docs/none.md, which does not exist; "
                                       "correct the path",
                               "docs/b.md:12: <T> is an HTML element; put code between backticks"]
    yield "equal headings", a.headings[1:], [(2, "same", "Same"), (2, "same-1", "Same")]
    for part in ('href="b.html#part"', 'href="#same-1"', 'href="../source/src/x.cpp.html"',
                 'href="../source/src/index.html"', 'href="../api/thing.hpp.html#Thing.run"><code>Thing::run()</code>',
                 "<code>Thing</code>", '<div class="table"><table>'):
        yield f"{part} in a.html", part in a.body, True
    yield "a comment in b.html", "hidden" in b.body, False
    yield "an escaped character in b.html", "&lt;b&gt;" in b.body, True
    yield "a link to another host in b.html", 'href="https://example.com"' in b.body, True
    yield "search records", [(one["t"], one["u"]) for one in b.records], [("Page B", "docs/b.html"), ("Part", "docs/b.html#part")]
    yield "source pages", [page.path for page in sources.pages()], ["source/src/index.html", "source/src/x.cpp.html"]
    text = document_of(a, navigation, "1.2.3")
    yield "the current page", 'href="a.html" aria-current="page">Page A</a>' in text, True
    yield "the path of the style", 'href="../style.css"' in text, True
    elsewhere = Documents(root, Sources(root, "https://example.com/blob/main/"), {})
    body = next(page for page in elsewhere.pages() if page.path == "docs/a.html").body
    yield "a link to the repository", 'href="https://example.com/blob/main/src/x.cpp"' in body, True


def run():
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in TREE.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        for name, value, expected in checks(root):
            count += 1
            if value != expected:
                failed += 1
                print(f"site: self-test: {name}: {value!r} instead of {expected!r}", file=sys.stderr)
    if not failed:
        print(f"site: {count} properties of a small tree are right")
    return 1 if failed else 0
