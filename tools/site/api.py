# SPDX-License-Identifier: Apache-2.0
"""The API reference: one page for each public header, made from the XML files of Doxygen."""

import html
import posixpath
import re
import xml.etree.ElementTree as ElementTree

from markdown_it import MarkdownIt

from layout import Page, first_sentence, relative, slug
from links import GOOD_EXTERNAL

SPACED = re.compile(r"\s+")
INLINE = {"computeroutput": "code", "emphasis": "em", "bold": "strong", "listitem": "li", "itemizedlist": "ul",
          "orderedlist": "ol", "row": "tr", "verbatim": "pre"}
SPECIAL = {"ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "nbsp": "\u00a0",
           "zwj": "", "linebreak": "\n", "sp": " "}
# In a sentence, Doxygen also takes words such as "Requeue" and "Error" for names.
HEADER_PATH = re.compile(r"[\w/]+\.hpp")
NAME = re.compile(r"::|\(|_|.[A-Z]")
SHOWN = {"function", "variable", "typedef", "enum", "define", "friend"}


def text_of(element):
    return "".join(element.itertext()) if element is not None else ""


def tight(text):
    """Removes the spaces that Doxygen puts inside of angle brackets and before references."""
    text = SPACED.sub(" ", text.strip())
    text = re.sub(r"<\s+", "<", text)
    text = re.sub(r"\s+>", ">", text)
    return re.sub(r"\s+([&*]+)", r"\1", text)


class Entity:
    """A class, function, variable, type or macro. `members` are those of a class."""

    def __init__(self, element, name, kind, header, line):
        self.element, self.name, self.kind, self.header, self.line = element, name, kind, header, line
        self.members = []
        self.anchor = None


class Api:
    def __init__(self, root, xml, sources):
        self.root, self.sources = root, sources
        self.headers = {}  # the path below include/ to its entities
        self.places = {}  # identifier of Doxygen to the page and anchor
        self.names = {}  # "Context::apply" to the page and anchor, if the name is unique
        self.read(xml)
        self.place()

    # ---- reading -----------------------------------------------------------------------------------------------------

    def read(self, xml):
        compounds = []
        for file in sorted(xml.glob("*.xml")):
            if file.name not in ("index.xml", "Doxyfile.xml"):
                compounds += ElementTree.parse(file).getroot().iter("compounddef")
        for compound in compounds:
            if compound.get("kind") == "file":
                header = compound.find("location").get("file")
                if header.endswith(".hpp"):
                    self.headers.setdefault(header, [])
                    self.places[compound.get("id")] = (header, None)
        for compound in compounds:
            kind = compound.get("kind")
            if kind in ("class", "struct", "concept") and compound.get("prot", "public") != "private":
                self.add_compound(compound, kind)
            elif kind in ("namespace", "file"):
                for member in self.members_of(compound):
                    self.add(member)
        for entities in self.headers.values():
            entities.sort(key=lambda one: one.line)

    def add_compound(self, compound, kind):
        name = text_of(compound.find("compoundname"))
        entity = self.add(Entity(compound, name, kind, *self.location(compound)))
        if entity:
            entity.members = sorted(self.members_of(compound), key=lambda one: one.line)

    def add(self, entity):
        if entity.header not in self.headers or "@" in entity.name:
            return None
        self.headers[entity.header].append(entity)
        return entity

    def members_of(self, compound):
        found = []
        for member in compound.iter("memberdef"):
            kind = member.get("kind")
            is_type = text_of(member.find("type")).split(" ")[0] in ("class", "struct")
            if kind not in SHOWN or member.get("prot") == "private" and kind != "friend" or kind == "friend" and is_type:
                continue
            is_deleted = re.search(r"=\s*delete$", text_of(member.find("argsstring")))
            if is_deleted or text_of(member.find("name")).startswith("@"):
                continue
            name = text_of(member.find("qualifiedname")) or text_of(member.find("name"))
            found.append(Entity(member, name, kind, *self.location(member)))
        return found

    @staticmethod
    def location(element):
        place = element.find("location")
        if place is None:
            return "", 0
        return place.get("file"), int(place.get("line", 0))

    # ---- anchors -----------------------------------------------------------------------------------------------------

    @staticmethod
    def page_path(header):
        return f"api/{header.removeprefix('pintle/')}.html"

    def place(self):
        seen = {}
        for header, entities in self.headers.items():
            used = set()
            path = self.page_path(header)
            for entity in (one for top in entities for one in (top, *top.members)):
                short = entity.name.removeprefix("pintle::")
                entity.anchor = self.anchor(short, used)
                place = f"{path}#{entity.anchor}"
                self.places[entity.element.get("id")] = (header, entity.anchor)
                for value in entity.element.iter("enumvalue"):
                    self.places[value.get("id")] = (header, entity.anchor)
                if place not in seen.setdefault(short, []):
                    seen[short].append(place)
        for name, places in seen.items():
            # Overloads in one header have one meaning. A name without "::" must look like a type.
            is_unique = len({place.partition("#")[0] for place in places}) == 1
            if is_unique and ("::" in name or name[:1].isupper()):
                self.names[name] = places[0]

    @staticmethod
    def anchor(name, used):
        base = re.sub(r"[^\w.~=<>!+*/&|^%-]+", "", name.replace("::", "."))
        base = re.sub(r"[<>=!+*/&|^%]+", lambda found: "-" + "".join(f"{ord(c):x}" for c in found[0]), base)
        result, number = base, 1
        while result in used:
            number += 1
            result = f"{base}-{number}"
        used.add(result)
        return result

    # ---- text --------------------------------------------------------------------------------------------------------

    def reference(self, path, element, inner):
        place = self.places.get(element.get("refid"))
        if place is None:
            return inner
        target = self.page_path(place[0]) + (f"#{place[1]}" if place[1] else "")
        return f'<a href="{html.escape(relative(path, target))}">{inner}</a>'

    def external(self, path, address, inner):
        """Doxygen takes "http::Server" and "https://HOST" in comments for addresses."""
        if GOOD_EXTERNAL.fullmatch(address):
            return f'<a href="{html.escape(address)}">{inner}</a>'
        place = self.names.get(address.removeprefix("pintle::").removesuffix("()"))
        return f'<a href="{html.escape(relative(path, place))}">{inner}</a>' if place else inner

    def markup(self, path, element, is_code=False):
        """Returns the content of an element of Doxygen as HTML."""
        clean = (lambda text: html.escape(text or "")) if not is_code else (lambda text: html.escape(text or "", False))
        parts = [clean(element.text)]
        for child in element:
            inner = self.markup(path, child, is_code)
            tag = child.tag
            if tag == "ref":
                is_name = is_code or element.tag == "computeroutput" or NAME.search(text_of(child))
                parts.append(self.reference(path, child, inner) if is_name else inner)
            elif tag in INLINE:
                parts.append(f"<{INLINE[tag]}>{inner}</{INLINE[tag]}>")
            elif tag == "para":
                parts.append(inner if element.tag in ("listitem", "entry") else self.paragraph(inner))
            elif tag == "entry":
                cell = "th" if child.get("thead") == "yes" else "td"
                parts.append(f"<{cell}>{inner}</{cell}>")
            elif tag == "table":
                parts.append(f'<div class="table"><table>{inner}</table></div>')
            elif tag == "ulink":
                parts.append(self.external(path, child.get("url"), inner))
            elif tag in SPECIAL:
                parts.append(SPECIAL[tag])
            else:
                raise ValueError(f"{path}: the element <{tag}> of Doxygen is not supported; add it to tools/site/api.py")
            parts.append(clean(child.tail))
        return "".join(parts)

    @staticmethod
    def paragraph(inner):
        """Lists, tables and preformatted text are not allowed inside of <p>."""
        pieces = re.split(r"(<(?:ul|ol|pre)>.*?</(?:ul|ol|pre)>|<div class=\"table\">.*?</div>)", inner, flags=re.S)
        return "".join(piece if at % 2 else f"<p>{piece.strip()}</p>" if piece.strip() else ""
                       for at, piece in enumerate(pieces))

    @staticmethod
    def descriptions(element):
        """Doxygen adds the comment behind a forward declaration, such as "object/quantity.hpp", to the next entity."""
        for part in (element.find("briefdescription"), element.find("detaileddescription")):
            if part is not None and not HEADER_PATH.fullmatch(text_of(part).strip()):
                yield part

    def description(self, path, element):
        return "".join(self.markup(path, part).strip() for part in self.descriptions(element))

    def brief(self, element):
        return " ".join(" ".join(text_of(part) for part in self.descriptions(element)).split())

    # ---- declarations ------------------------------------------------------------------------------------------------

    def type_code(self, path, element):
        if element is None:
            return ""
        code = self.markup(path, element, is_code=True).strip()
        code = re.sub(r"&lt;\s+", "&lt;", code)
        code = re.sub(r"\s+&gt;", "&gt;", code)
        return re.sub(r"\s+((?:&amp;|\*)+)$", r"\1", code)

    def template_code(self, path, element):
        parameters = element.find("templateparamlist")
        if parameters is None:
            return ""
        parts = []
        for one in parameters.findall("param"):
            name = text_of(one.find("declname"))
            default = self.type_code(path, one.find("defval"))
            parts.append(self.type_code(path, one.find("type")) + (f" {html.escape(name)}" if name else "") +
                         (f" = {default}" if default else ""))
        requires = element.find("requiresclause")
        condition = f"\n  requires {self.type_code(path, requires)}" if requires is not None else ""
        return f"template &lt;{', '.join(parts)}&gt;{condition}\n"

    def function_code(self, path, element, name):
        parameters = []
        for one in element.findall("param"):
            declared = text_of(one.find("declname"))
            default = self.type_code(path, one.find("defval"))
            parameters.append(self.type_code(path, one.find("type")) + (f" {html.escape(declared)}" if declared else "") +
                              html.escape(text_of(one.find("array"))) + (f" = {default}" if default else ""))
        result = self.type_code(path, element.find("type"))
        start = f"{result} {name}(" if result else f"{name}("
        plain = len(re.sub(r"<[^>]*>", "", start + ", ".join(parameters)))
        joined = (",\n" + " " * 4).join(parameters) if plain > 90 and len(parameters) > 1 else ", ".join(parameters)
        if "\n" in joined:
            joined = "\n    " + joined
        arguments = text_of(element.find("argsstring"))
        suffix = arguments[arguments.rfind(")") + 1 :].replace("=0", " = 0").replace("=default", " = default")
        suffix = re.sub(r"\)?\s*=\s*delete", " = delete", suffix)
        if "noexcept(" in arguments:
            suffix = " noexcept(…)"
        static = "static " if element.get("static") == "yes" and element.get("prot") else ""
        virtual = "virtual " if element.get("virt", "non-virtual") != "non-virtual" else ""
        explicit = "explicit " if element.get("explicit") == "yes" else ""
        return f"{static}{virtual}{explicit}{start}{joined}){html.escape(suffix)}"

    def code(self, path, entity):
        element, kind = entity.element, entity.kind
        if kind == "concept":
            return re.sub(r"\s+", " ", self.markup(path, element.find("initializer"), is_code=True)).strip().replace(
                "&gt; concept", "&gt;\nconcept")
        name = html.escape(entity.name.rsplit("::", 1)[-1] if kind not in ("class", "struct") else entity.name)
        template = self.template_code(path, element)
        if kind in ("class", "struct"):
            bases = ", ".join(self.base_code(path, base) for base in element.findall("basecompoundref"))
            return f"{template}{kind} {name}" + (f" : {bases}" if bases else "")
        if kind == "enum":
            values = ", ".join(html.escape(text_of(value.find("name"))) for value in element.findall("enumvalue"))
            return f"enum {'class ' if element.get('strong') == 'yes' else ''}{name} {{ {values} }}"
        if kind == "define":
            parameters = [text_of(one.find("defname")) for one in element.findall("param")]
            return f"#define {name}" + (f"({', '.join(parameters)})" if parameters else "")
        if kind == "typedef":
            return f"{template}using {name} = {self.type_code(path, element.find('type'))}"
        if kind == "variable":
            initial = text_of(element.find("initializer"))
            shown = html.escape(" " + initial if initial.startswith("=") else initial) if len(initial) < 60 else ""
            return f"{template}{self.type_code(path, element.find('type'))} {name}{shown}"
        return template + self.function_code(path, element, name)

    def base_code(self, path, base):
        code = html.escape(tight(text_of(base)))
        return self.reference(path, base, code) if base.get("refid") else code

    # ---- pages -------------------------------------------------------------------------------------------------------

    def introduction(self, header):
        """Returns the comment at the beginning of a header."""
        lines = []
        for line in (self.root / "include" / header).read_text(encoding="utf-8").splitlines():
            if not line.startswith("//"):
                break
            lines.append(line[2:].removeprefix(" "))
        return "\n".join(lines)

    def pages(self):
        yield self.index_page()
        for header in self.headers:
            yield self.header_page(header)

    def layers(self):
        names = re.findall(r"^([a-z]+):", (self.root / "layers.txt").read_text(encoding="utf-8"), re.M)
        for layer in names:
            headers = sorted(header for header in self.headers if header.startswith(f"pintle/{layer}/"))
            if headers:
                yield layer, headers

    def index_page(self):
        path, used, headings, parts = "api/index.html", set(), [], []
        parts.append("<h1>API reference</h1><p>The public headers, by layer. A program that includes "
                     "<code>pintle/pintle.hpp</code> has those that an operator needs. The types of the built-in kinds "
                     "(<code>pintle/api/</code>) are generated and are not listed; they have the members that Kubernetes "
                     "documents, in <code>snake_case</code>.</p>")
        for layer, headers in self.layers():
            name = slug(layer, used)
            headings.append((2, name, layer))
            parts.append(f'<h2 id="{name}">{layer}</h2><dl class="headers">')
            for header in headers:
                link = html.escape(relative(path, self.page_path(header)))
                about = first_sentence(self.introduction(header).split("\n\n")[0])
                parts.append(f'<dt><a href="{link}">{html.escape(header)}</a></dt><dd>{html.escape(about)}</dd>')
            parts.append("</dl>")
        record = {"t": "API reference", "u": path, "k": "page", "s": "public headers by layer"}
        return Page(path, "API reference", "".join(parts), origin="include/pintle", headings=headings, records=[record])

    def header_page(self, header):
        path = self.page_path(header)
        layer = posixpath.dirname(header).removeprefix("pintle").strip("/").split("/")[0]
        index = relative(path, "api/index.html") + (f"#{layer}" if layer else "")
        crumbs = f'<p class="crumbs"><a href="{index}">API reference</a> / {html.escape(layer or "pintle")}</p>'
        about = self.introduction(header)
        # "std::vector<pintle::Object>" is neither an address nor an element.
        markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["autolink", "html_inline"])
        address = html.escape(self.sources.address(path, f"include/{header}"))
        parts = [f"<h1>{html.escape(header).replace('/', '/<wbr>')}</h1>", markdown.render(about),
                 f'<pre><code>#include &lt;{html.escape(header)}&gt;</code></pre><p><a href="{address}">Source</a></p>']
        headings, records = [], [{"t": header, "u": path, "k": "api", "s": first_sentence(about)}]
        for entity in self.headers[header]:
            headings.append((2, entity.anchor, entity.name.removeprefix("pintle::")))
            parts.append(self.section(path, header, entity, "h2"))
            records.append(self.record(path, entity))
            for member in entity.members:
                parts.append(self.section(path, header, member, "h3"))
                records.append(self.record(path, member))
        known, unique = set(), []  # overloads are one line of the contents
        for heading in headings:
            if heading[2] not in known:
                unique.append(heading)
            known.add(heading[2])
        return Page(path, header, "".join(parts), origin=f"include/{header}", headings=unique, records=records,
                    crumbs=crumbs)

    def record(self, path, entity):
        return {"t": entity.name, "u": f"{path}#{entity.anchor}", "k": "api", "s": self.brief(entity.element)}

    def section(self, path, header, entity, tag):
        name = entity.name.removeprefix("pintle::")
        title = name if tag == "h2" else name.rsplit("::", 1)[-1]
        line = html.escape(self.sources.address(path, f"include/{header}", entity.line))
        text = self.description(path, entity.element) + self.values(path, entity)
        return (f'<section class="entity {"member" if tag == "h3" else "top"}" id="{html.escape(entity.anchor)}">'
                f'<{tag}>{html.escape(title)} <a class="line-link" href="{line}" aria-label="source of {html.escape(name)}">'
                f'source</a></{tag}><pre class="declaration"><code>{self.code(path, entity)}</code></pre>{text}</section>')

    def values(self, path, entity):
        """The values of an enumeration that have a description."""
        rows = []
        for value in entity.element.findall("enumvalue"):
            text = self.description(path, value)
            if text:
                rows.append(f"<dt><code>{html.escape(text_of(value.find('name')))}</code></dt><dd>{text}</dd>")
        return f"<dl>{''.join(rows)}</dl>" if rows else ""
