# SPDX-License-Identifier: Apache-2.0
"""Pages made from the Markdown documents of the repository."""

import html
import posixpath
import re

from markdown_it import MarkdownIt
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from layout import Page, relative, slug
from sources import colored

DOCUMENTS = ("*.md", "docs/**/*.md", "examples/**/*.md", "CHANGELOG.md")
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
# The titles of the groups of documents that the README does not list.
FOLDERS = {"": "Project", "docs": "Guides", "docs/patterns": "Patterns", "docs/internals": "Internals"}


class BrokenLink(Exception):
    pass


def page_path(document):
    """Returns "docs/types.html" for "docs/types.md". A README becomes the index of its folder."""
    folder, name = posixpath.split(document)
    name = "index.html" if name == "README.md" else name.removesuffix(".md") + ".html"
    return posixpath.join(folder, name)


def plain_text(token):
    return "".join(child.content if child.type in ("text", "code_inline") else " " if "break" in child.type else ""
                   for child in token.children or ())


class Documents:
    """All documents. `names` maps a C++ name to its place in the API reference, for code in the text."""

    def __init__(self, root, sources, names):
        self.root, self.sources, self.names = root, sources, names
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
        self.texts = {}
        for path in sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)}):
            document = path.relative_to(root).as_posix()
            if document in sources.files:
                self.texts[document] = path.read_text(encoding="utf-8")
        self.tokens = {document: self.markdown.parse(text) for document, text in self.texts.items()}
        self.errors = []

    def title(self, document):
        tokens = self.tokens[document]
        at = next((at for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h1"), None)
        return plain_text(tokens[at + 1]) if at is not None else document

    # ---- navigation --------------------------------------------------------------------------------------------------

    def navigation(self):
        """Returns the groups of the README, below its heading "Documentation", and the documents that it does not list.

        A group is a paragraph that ends with ":" and the list below it. The first link of an item is the page.
        """
        groups, listed = [], {"README.md"}
        for group, documents in self.groups_of_readme():
            groups.append((group, [(page_path(one), self.title(one)) for one in documents]))
            listed.update(documents)
        others = {}
        for document in self.texts:
            if document not in listed:
                folder = posixpath.dirname(document)
                others.setdefault(FOLDERS.get(folder, "Examples"), []).append(document)
        for group, documents in others.items():
            links = [(page_path(one), self.title(one)) for one in documents]
            known = next((row for name, row in groups if name == group), None)
            if known is None:
                groups.append((group, links))
            else:
                known.extend(links)
        return groups

    def groups_of_readme(self):
        tokens = self.tokens.get("README.md", [])
        inside, group, found = False, None, {}
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                inside = plain_text(tokens[at + 1]) == "Documentation"
            elif inside and token.type == "inline" and token.level == 1:
                text = plain_text(token)
                group = text.removesuffix(":").removesuffix(".") if text.endswith(":") else group
            elif inside and token.type == "inline" and group:
                link = next((child.attrGet("href") for child in token.children if child.type == "link_open"), None)
                if link in self.texts:
                    found.setdefault(group, []).append(link)
        return found.items()

    # ---- pages -------------------------------------------------------------------------------------------------------

    def pages(self):
        for document in self.texts:
            yield self.page(document)

    def check_elements(self, document, token):
        """A document contains no HTML but comments; "Result<T>" outside of code would be an element."""
        for one in (token, *(token.children or ())):
            if one.type in ("html_block", "html_inline") and not one.content.lstrip().startswith("<!--"):
                text = one.content.split("\n")[0]
                self.errors.append(f"{document}:{token.map[0] + 1}: {text} is an HTML element; put code between backticks")

    def page(self, document):
        path = page_path(document)
        tokens = self.tokens[document]
        headings, used, records = [], set(), []
        title = self.title(document)
        record = {"t": title, "u": path, "k": "page", "s": ""}
        records.append(record)
        for at, token in enumerate(tokens):
            self.check_elements(document, token)
            if token.type == "heading_open":
                text = plain_text(tokens[at + 1])
                name = slug(text, used)
                token.attrSet("id", name)
                headings.append((int(token.tag[1]), name, text))
                if token.tag != "h1":
                    record = {"t": text, "p": title, "u": f"{path}#{name}", "k": "section", "s": ""}
                    records.append(record)
            elif token.type == "inline" and tokens[at - 1].type != "heading_open":
                record["s"] += " " + plain_text(token)
            elif token.type in ("fence", "code_block"):
                record["s"] += " " + token.content
            if token.type == "inline":
                self.link(document, path, token, in_heading=tokens[at - 1].type == "heading_open")
        for record in records:
            record["s"] = " ".join(record["s"].split())
        return Page(path, title, self.render(tokens), origin=document, headings=headings, records=records)

    def link(self, document, path, inline, in_heading):
        """Replaces the targets of the links in a piece of text, and makes links of the names of the API."""
        depth = 0
        for child in inline.children:
            if child.type == "link_open":
                depth += 1
                try:
                    child.attrSet("href", self.target(document, path, child.attrGet("href")))
                except BrokenLink as error:
                    line = inline.map[0] + 1
                    self.errors.append(f"{document}:{line}: {error}")
            elif child.type == "link_close":
                depth -= 1
            elif child.type == "code_inline" and depth == 0 and not in_heading:
                place = self.names.get(child.content.removeprefix("pintle::").removesuffix("()"))
                if place:
                    child.meta["href"] = relative(path, place)

    def target(self, document, path, link):
        if EXTERNAL.match(link):
            return link
        file, _, fragment = link.partition("#")
        if not file:
            return link
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(document), file))
        if wanted in self.texts:
            return relative(path, page_path(wanted) + ("#" + fragment if fragment else ""))
        if not self.sources.exists(wanted):
            raise BrokenLink(f"the link {link} leads to {wanted}, which does not exist; correct the path")
        return self.sources.address(path, wanted)

    def render(self, tokens):
        renderer = self.markdown.renderer
        options = self.markdown.options
        rules = {"fence": self.fence, "code_block": self.fence, "code_inline": self.code_inline,
                 "html_block": lambda *_: "", "table_open": lambda *_: '<div class="table"><table>',
                 "table_close": lambda *_: "</table></div>"}
        renderer.rules.update(rules)
        return renderer.render(tokens, options, {})

    @staticmethod
    def fence(tokens, at, *_):
        token = tokens[at]
        language = (token.info or "").strip().split(" ")[0]
        try:
            code = colored(token.content, get_lexer_by_name(language)) if language else html.escape(token.content)
        except ClassNotFound:
            code = html.escape(token.content)
        return f"<pre><code>{code}</code></pre>\n"

    @staticmethod
    def code_inline(tokens, at, *_):
        token = tokens[at]
        code = f"<code>{html.escape(token.content)}</code>"
        return f'<a class="code" href="{html.escape(token.meta["href"])}">{code}</a>' if "href" in token.meta else code
