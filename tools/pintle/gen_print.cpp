#include "gen_print.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "gen_names.hpp"

namespace pintle::tools {
namespace {

constexpr std::size_t column_limit = 120;
constexpr std::string_view builtin_root = "pintle::api";

// Lines of one file.
class Lines {
 public:
  void in() { indent_ += 2; }
  void out() { indent_ -= 2; }

  [[nodiscard]] bool fits(std::string_view line, std::size_t further = 0) const {
    return indent_ + further + line.size() <= column_limit;
  }
  void add(std::string_view line, std::size_t further = 0) {
    if (!line.empty()) text_.append(indent_ + further, ' ').append(line);
    text_ += '\n';
  }
  // One empty line, unless a block has just begun.
  void gap() {
    if (!text_.ends_with("{\n") && !text_.ends_with("\n\n")) text_ += '\n';
  }
  void comment(std::string_view words) {
    std::string line = "//";
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (!fits(line + " " + std::string(words.substr(0, end))) && line != "//") {
        add(line);
        line = "//";
      }
      line.append(" ").append(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
    if (line != "//") add(line);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::size_t indent_ = 0;
  std::string text_;
};

// What differs between a header that has all and one that has a source.
class Printer {
 public:
  explicit Printer(const PrintOptions& options)
      : options_(options), prefix_(options.root == builtin_root ? "" : "pintle::") {}

  void print_struct(const StructType& type);
  void print_tables(const StructType& type, const std::string& path);
  [[nodiscard]] Lines& lines() { return lines_; }

 private:
  void print_facts(const StructType& type);
  void print_enum(const EnumType& type);
  void print_member(const MemberType& member);
  void print_fields(const StructType& type);
  void print_field(const StructType& type, const MemberType& member);
  void print_row(const std::string& path, const MemberType& member);

  const PrintOptions& options_;
  std::string prefix_;
  Lines lines_;
};

bool has_fields(const StructType& type) { return !type.kind || type.kind->has_own_fields; }

void Printer::print_facts(const StructType& type) {
  if (type.kind) {
    lines_.add(fmt::format("static constexpr {}Type type{{{}, {}}};", prefix_, literal(type.kind->api_version),
                           literal(type.kind->kind)));
    for (const std::string& fact : type.kind->facts) lines_.add("static constexpr " + fact + ";");
  }
  if (!type.list_map_key.empty()) {
    lines_.add("static constexpr std::string_view list_map_key = " + literal(type.list_map_key) + ";");
  }
}

void Printer::print_enum(const EnumType& type) {
  std::vector<std::string> names;
  if (type.is_open) names.emplace_back("unset");
  for (const auto& [name, text] : type.values) names.push_back(name);
  std::string line = "enum class " + type.name + " {";
  for (std::size_t i = 0; i < names.size(); ++i) line += (i == 0 ? " " : ", ") + names[i];
  line += " };";
  if (lines_.fits(line)) {
    lines_.add(line);
  } else {
    lines_.add("enum class " + type.name + " {");
    for (const std::string& name : names) lines_.add(name + (&name == &names.back() ? "" : ","), 2);
    lines_.add("};");
  }
  if (options_.is_split) {
    lines_.add(fmt::format("friend {}EnumTable enum_names({});", prefix_, type.name));
    return;
  }
  lines_.add(fmt::format("friend constexpr auto enum_names({}) {{", type.name));
  lines_.add(fmt::format("return pintle::names_of<{}>({{", type.name), 2);
  for (const auto& [name, text] : type.values) {
    lines_.add(fmt::format("{{{}::{}, {}}},", type.name, name, literal(text)), 6);
  }
  lines_.add("});", 2);
  lines_.add("}");
}

void Printer::print_member(const MemberType& member) {
  lines_.comment(member.description);
  const std::string line = member.type + " " + member.name + member.initial + ";";
  if (lines_.fits(line)) return lines_.add(line);
  const std::size_t equals = member.initial.find("= ");
  const std::string start = member.type + " " + member.name + " =";
  if (equals != std::string::npos && lines_.fits(start)) {
    lines_.add(start);
    return lines_.add(member.initial.substr(equals + 2) + ";", 4);
  }
  lines_.add(member.type);
  lines_.add(member.name + member.initial + ";", 4);
}

void Printer::print_field(const StructType& type, const MemberType& member) {
  const std::string start = "pintle::field(";
  const std::string name = literal(member.json) + ",";
  const std::string pointer = fmt::format("&{}::{})", type.name, member.name);
  const std::string call = start + name + " " + pointer;
  std::string line = call;
  for (const std::string& rule : member.rules) line += "." + rule;
  if (lines_.fits(line + ",", 6)) return lines_.add(line + ",", 6);

  const std::string end = member.rules.empty() ? "," : "";
  if (lines_.fits(call + end, 6)) {
    lines_.add(call + end, 6);
  } else if (lines_.fits(start + name, 6) && lines_.fits(pointer + end, 6 + start.size())) {
    lines_.add(start + name, 6);
    lines_.add(pointer + end, 6 + start.size());
  } else {
    lines_.add(start, 6);
    if (lines_.fits(name + " " + pointer + end, 10)) {
      lines_.add(name + " " + pointer + end, 10);
    } else {
      lines_.add(name, 10);
      lines_.add(pointer + end, 10);
    }
  }
  for (const std::string& rule : member.rules) {
    const std::string after = &rule == &member.rules.back() ? "," : "";
    const std::size_t open = rule.find('(') + 1;
    if (lines_.fits("." + rule + after, 10) || rule.ends_with("()")) {
      lines_.add("." + rule + after, 10);
    } else {
      lines_.add("." + rule.substr(0, open), 10);
      lines_.add(rule.substr(open) + after, 14);
    }
  }
}

void Printer::print_fields(const StructType& type) {
  if (options_.is_split) return lines_.add(fmt::format("static {}FieldTable fields();", prefix_));
  if (type.members.empty()) return lines_.add("static constexpr auto fields() { return std::tuple{}; }");
  lines_.add("static constexpr auto fields() {");
  lines_.add("return std::tuple{", 2);
  for (const MemberType& member : type.members) print_field(type, member);
  lines_.add("};", 2);
  lines_.add("}");
}

void Printer::print_struct(const StructType& type) {
  lines_.comment(type.description);
  lines_.add("struct " + type.name + " {");
  lines_.in();
  print_facts(type);
  for (const EnumType& nested : type.enums) {
    lines_.gap();
    print_enum(nested);
  }
  for (const StructType& nested : type.structs) {
    lines_.gap();
    print_struct(nested);
  }
  const bool has_nested = !type.enums.empty() || !type.structs.empty();
  if (has_nested || !type.list_map_key.empty()) lines_.gap();
  if (type.kind) lines_.add(prefix_ + "Metadata metadata{};");
  for (const MemberType& member : type.members) print_member(member);
  if (has_fields(type)) {
    lines_.gap();
    print_fields(type);
  }
  lines_.out();
  lines_.add("};");
}

void Printer::print_row(const std::string& path, const MemberType& member) {
  const std::string name = "{" + literal(member.json) + ",";
  const std::string rules = member.rules.empty() ? "}," : ", required},";
  const std::string place = fmt::format("member<&{}::{}>", path, member.name);
  const std::string line = name + " " + place + rules;
  if (lines_.fits(line, 6)) return lines_.add(line, 6);
  lines_.add(name, 6);
  lines_.add(place + rules, 7);
}

void Printer::print_tables(const StructType& type, const std::string& path) {
  for (const StructType& nested : type.structs) print_tables(nested, path + "::" + nested.name);
  for (const EnumType& nested : type.enums) {
    lines_.gap();
    lines_.add(fmt::format("EnumTable enum_names({}::{}) {{", path, nested.name));
    lines_.add(fmt::format("using enum {}::{};", path, nested.name), 2);
    lines_.add("static constexpr auto rows = enum_rows({", 2);
    for (const auto& [name, text] : nested.values) lines_.add(fmt::format("{{{}, {}}},", name, literal(text)), 6);
    lines_.add("});", 2);
    lines_.add("return rows;", 2);
    lines_.add("}");
  }
  if (!has_fields(type)) return;
  lines_.gap();
  if (type.members.empty()) return lines_.add(fmt::format("FieldTable {}::fields() {{ return {{}}; }}", path));
  lines_.add(fmt::format("FieldTable {}::fields() {{", path));
  lines_.add("static constexpr auto rows = field_rows({", 2);
  for (const MemberType& member : type.members) print_row(path, member);
  lines_.add("});", 2);
  lines_.add("return rows;", 2);
  lines_.add("}");
}

// What is used stands before what uses it, else by name.
std::vector<const StructType*> in_order(const Header& header) {
  std::vector<const StructType*> order;
  std::set<std::string> done;
  const std::function<void(const std::string&)> visit = [&](const std::string& name) {
    const auto found = header.structs.find(name);
    if (found == header.structs.end() || !done.insert(name).second) return;
    for (const std::string& used : found->second.uses) visit(used);
    order.push_back(&found->second);
  };
  for (const auto& [name, type] : header.structs) visit(name);
  return order;
}

std::string path_of(const HeaderName& name, const PrintOptions& options) {
  if (options.root == builtin_root) return fmt::format("<pintle/api/{}/{}.hpp>", name.folder, name.version);
  return fmt::format("\"{}/{}.hpp\"", name.folder, name.version);
}

std::string namespace_of(const HeaderName& name, const PrintOptions& options) {
  return fmt::format("{}{}{}::{}", options.root, options.root.empty() ? "" : "::", name.folder, name.version);
}

void print_includes(const HeaderName& name, const Header& header, const PrintOptions& options, Lines& lines) {
  std::set<std::string> standard;
  std::set<std::string> ours{"<pintle/object/fields.hpp>"};
  std::set<std::string> siblings;
  if (!options.is_split) standard.insert("tuple");
  for (const std::string& include : header.includes) {
    if (include.starts_with("pintle/")) {
      ours.insert("<" + include + ">");
    } else {
      standard.insert(include);
    }
  }
  for (const HeaderName& other : header.headers) {
    if (options.root == builtin_root) {
      ours.insert(path_of(other, options));
    } else if (other.folder == name.folder) {
      siblings.insert("\"" + other.version + ".hpp\"");
    } else {
      siblings.insert("\"../" + other.folder + "/" + other.version + ".hpp\"");
    }
  }
  for (const std::string& include : standard) lines.add("#include <" + include + ">");
  lines.gap();
  for (const std::string& include : ours) lines.add("#include " + include);
  if (!siblings.empty()) lines.gap();
  for (const std::string& include : siblings) lines.add("#include " + include);
  lines.gap();
}

}  // namespace

std::string print_header(const HeaderName& name, const Header& header, const PrintOptions& options) {
  Printer printer(options);
  Lines& lines = printer.lines();
  lines.add(fmt::format("// Types of {}, version {}. Written by `pintle gen types`, which writes it anew.", name.folder,
                        name.version));
  lines.add("#pragma once");
  lines.gap();
  print_includes(name, header, options, lines);
  lines.add("namespace " + namespace_of(name, options) + " {");
  if (!header.forwards.empty()) lines.gap();
  for (const std::string& forward : header.forwards) lines.add("struct " + forward + ";");
  for (const StructType* type : in_order(header)) {
    lines.add("");
    printer.print_struct(*type);
  }
  lines.gap();
  lines.add("}  // namespace " + namespace_of(name, options));
  return lines.take();
}

std::string print_source(const HeaderName& name, const Header& header, const PrintOptions& options) {
  Printer printer(options);
  Lines& lines = printer.lines();
  lines.add(fmt::format("// Tables of {}, version {}. Written by `pintle gen types`, which writes it anew.",
                        name.folder, name.version));
  lines.add("#include " + path_of(name, options));
  lines.gap();
  lines.add("#include <pintle/object/field_table.hpp>");
  lines.gap();
  lines.add("namespace " + namespace_of(name, options) + " {");
  for (const StructType* type : in_order(header)) {
    lines.gap();
    printer.print_tables(*type, type->name);
  }
  lines.gap();
  lines.add("}  // namespace " + namespace_of(name, options));
  return lines.take();
}

}  // namespace pintle::tools
