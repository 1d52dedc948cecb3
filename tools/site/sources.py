# SPDX-License-Identifier: Apache-2.0
"""Pages that show sources, for links from the documents and from the API reference to files of the repository."""

import html
import posixpath
import shutil
import subprocess

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

from layout import Page, relative

# Files whose lexer does not follow from their ending.
LEXERS = {"CMakeLists.txt": "cmake", "Dockerfile": "docker", ".clang-format": "yaml", ".clang-tidy": "yaml"}


def lexer_of(path, text):
    name = posixpath.basename(path)
    if name in LEXERS:
        return get_lexer_by_name(LEXERS[name])
    if name.endswith(".hpp"):
        return get_lexer_by_name("cpp")
    if text.startswith("#!"):
        return get_lexer_by_name("python" if "python" in text.splitlines()[0] else "bash")
    try:
        return get_lexer_for_filename(name)
    except ClassNotFound:
        return TextLexer()


def colored(text, lexer):
    """Returns the content of a <code> element."""
    return highlight(text, lexer, HtmlFormatter(nowrap=True, classprefix="c-")).rstrip("\n")


def files_of(root):
    """Returns the files that git tracks or would add; without git, all files but those of builds and hidden folders."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists() and shutil.which("git"):
        listed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        return [path for path in listed.split("\0") if path]
    paths = (path.relative_to(root) for path in root.rglob("*"))
    return [path.as_posix() for path in paths if path.parts[0] != "build" and not path.parts[0].startswith(".")]


class Sources:
    """The files of the repository that are not pages themselves.

    With `repository`, links lead to that address followed by the path. Without it, each linked file becomes a page.
    """

    def __init__(self, root, repository=None):
        self.root, self.repository = root, repository
        self.files = {path for path in files_of(root) if (root / path).is_file()}
        self.folders = {folder for path in self.files for folder in self.folders_above(path)}
        self.wanted = {}  # path in the repository to the page

    @staticmethod
    def folders_above(path):
        while path := posixpath.dirname(path):
            yield path

    def exists(self, path):
        return path in self.files or path in self.folders

    def address(self, origin, path, line=None):
        """Returns the link from the page `origin` to a file or folder of the repository."""
        if self.repository is not None:
            return f"{self.repository.rstrip('/')}/{path}" + (f"#L{line}" if line else "")
        self.want(path)
        return relative(origin, self.wanted[path] + (f"#L{line}" if line else ""))

    def want(self, path):
        if path in self.wanted:
            return
        if path in self.files:
            self.wanted[path] = f"source/{path}.html"
            return
        self.wanted[path] = f"source/{path}/index.html"
        for child in self.children(path):
            self.want(child)

    def children(self, folder):
        below = [path for path in (*self.files, *self.folders) if posixpath.dirname(path) == folder]
        return sorted(below, key=lambda path: (path in self.files, path))

    def pages(self):
        for path, page in sorted(self.wanted.items()):
            yield self.file_page(path, page) if path in self.files else self.folder_page(path, page)

    def crumbs(self, path, page):
        """Links to the folders above that have a page."""
        parts = []
        for folder in reversed(list(self.folders_above(path))):
            name = html.escape(posixpath.basename(folder))
            target = self.wanted.get(folder)
            parts.append(f'<a href="{html.escape(relative(page, target))}">{name}</a>' if target else name)
        return f'<p class="crumbs">{" / ".join(parts)}</p>' if parts else ""

    def file_page(self, path, page):
        try:
            text = (self.root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            text = "This file is not text."
        rows = []
        for number, line in enumerate(colored(text, lexer_of(path, text)).split("\n"), 1):
            rows.append(f'<span class="line" id="L{number}"><a href="#L{number}" aria-hidden="true" tabindex="-1">{number}</a>{line}</span>')
        heading = html.escape(path).replace("/", "/<wbr>")
        body = f"<h1>{heading}</h1><pre class=\"source\"><code>" + "\n".join(rows) + "</code></pre>"
        return Page(page, path, body, origin=path, crumbs=self.crumbs(path, page))

    def folder_page(self, path, page):
        rows = []
        for child in self.children(path):
            name = posixpath.basename(child) + ("" if child in self.files else "/")
            rows.append(f'<li><a href="{html.escape(relative(page, self.wanted[child]))}">{html.escape(name)}</a></li>')
        heading = html.escape(path).replace("/", "/<wbr>")
        body = f"<h1>{heading}</h1><ul>{''.join(rows)}</ul>"
        return Page(page, path, body, origin=path, crumbs=self.crumbs(path, page))
