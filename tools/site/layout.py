# SPDX-License-Identifier: Apache-2.0
"""The frame of each page of the documentation site, and paths between pages."""

import html
import posixpath
import re

ESCAPED_QUOTE = re.compile(r"[^\w\- ]")


def relative(origin, target):
    """Returns the path from one file of the site to another, with the fragment of the target."""
    path, _, fragment = target.partition("#")
    if path == origin and fragment:
        return "#" + fragment
    return posixpath.relpath(path, posixpath.dirname(origin) or ".") + ("#" + fragment if fragment else "")


def slug(text, used):
    """Returns the identifier of a heading by the rules of GitHub, unique among `used`."""
    base = ESCAPED_QUOTE.sub("", text.strip().lower()).replace(" ", "-")
    name, number = base, 0
    while name in used:
        number += 1
        name = f"{base}-{number}"
    used.add(name)
    return name


def first_sentence(text):
    text = " ".join(text.split())
    found = re.match(r".*?[.:](?= [A-Z]|$)", text)
    return found[0] if found else text


class Page:
    """One HTML file of the site. `headings` are (level, identifier, text); `records` are entries of the search index."""

    def __init__(self, path, title, body, *, origin, headings=(), records=(), crumbs=""):
        self.path, self.title, self.body, self.origin = path, title, body, origin
        self.headings, self.records, self.crumbs = list(headings), list(records), crumbs


def navigation_of(page, navigation):
    """`navigation` is a list of (group, [(path, title)])."""
    parts = []
    for group, links in navigation:
        rows = []
        for path, title in links:
            current = ' aria-current="page"' if path == page.path else ""
            short = html.escape(title.partition(": ")[0])
            rows.append(f'<li><a href="{html.escape(relative(page.path, path))}"{current}>{short}</a></li>')
        parts.append(f"<h2>{html.escape(group)}</h2><ul>{''.join(rows)}</ul>")
    return "".join(parts)


def contents_of(page):
    shown = [heading for heading in page.headings if heading[0] in (2, 3)]
    if len(shown) < 3:
        return ""
    rows = "".join(f'<li class="level-{level}"><a href="#{html.escape(name)}">{html.escape(text)}</a></li>'
                   for level, name, text in shown)
    return f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>{rows}</ul></nav>'


def document_of(page, navigation, version):
    """Returns the HTML document. All addresses in it are relative, so it works below any path and without a server."""
    root = posixpath.relpath(".", posixpath.dirname(page.path) or ".")
    title = "pintle" if page.path == "index.html" else f"{page.title} · pintle"
    return f"""<!DOCTYPE html>
<html lang="en" data-root="{root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="{root}/style.css">
<script src="{root}/site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="{root}/index.html">pintle <span>{html.escape(version)}</span></a>
<a class="menu" href="#navigation">Menu</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search pages and names" aria-label="Search pages and names" autocomplete="off" spellcheck="false">
<ol id="results" hidden></ol>
</div>
</header>
<div class="columns">
<main id="content">
{page.crumbs}{page.body}
</main>
{contents_of(page)}
<nav id="navigation" aria-label="All pages">{navigation_of(page, navigation)}</nav>
</div>
<footer>Built from <code>{html.escape(page.origin)}</code></footer>
</body>
</html>
"""
