// SPDX-License-Identifier: Apache-2.0
#include "gen_print.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "gen_names.hpp"

namespace pintle::tools {
namespace {

constexpr std::size_t max_columns = 120;

// The lines of one file.
class Lines {
 public:
  void in() { indent_ += 2; }
  void out() { indent_ -= 2; }

  [[nodiscard]] bool fits(std::string_view line, std::size_t further = 0) const {
    return indent_ + further + line.size() <= max_columns;
  }
  void add(std::string_view line, std::size_t further = 0) {
    if (!line.empty()) text_.append(indent_ + further, ' ').append(line);
    text_ += '\n';
  }
  // Adds an empty line, unless a block has just begun or the last line is empty.
  void gap() {
    if (!text_.ends_with("{\n") && !text_.ends_with("\n\n")) text_ += '\n';
  }
  void comment(std::string_view words) {
    std::string line = "//";
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      // A backslash at the end of a line would continue it.
      const bool may_break = line != "//" && !line.ends_with('\\');
      if (may_break && !fits(line + " " + std::string(words.substr(0, end)))) {
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

// The macro of a type whose functions are in a source of this library.
std::string_view exported(const PrintOptions& options) {
  return options.is_split && options.root == builtin_root ? "PINTLE_EXPORT " : "";
}

// Prints structs and tables, for a header with or without a source.
class Printer {
 public:
  explicit Printer(const PrintOptions& options)
      : options_(options), prefix_(options.root == builtin_root ? "" : "pintle::") {}

  // `mark` is the macro of a struct that a shared library exports, or empty. A nested struct inherits it.
  void print_struct(const StructType& type, std::string_view mark = {});
  void print_rules(const Header& header);
  void print_tables(const StructType& type, const std::string& path);
  [[nodiscard]] Lines& lines() { return lines_; }

 private:
  void print_facts(const StructType& type);
  void print_enum(const EnumType& type);
  void print_texts(const EnumType& type);
  void print_member(const MemberType& member);
  void print_fields(const StructType& type);
  void print_field(const StructType& type, const MemberType& member);
  void print_call(const std::string& start, const std::vector<std::string>& arguments, const std::string& end,
                  std::size_t further);
  void print_rule(const std::string& rule, std::size_t further);
  void print_row(const std::string& path, const MemberType& member);

  const PrintOptions& options_;
  std::string prefix_;
  Lines lines_;
};

// Returns the position behind the first literal, where its comma is.
std::size_t end_of_literal(const std::string& arguments) {
  if (arguments.starts_with("R\"(")) return arguments.find(")\"") + 2;
  std::size_t at = 1;
  while (at < arguments.size() && arguments[at] != '"') at += arguments[at] == '\\' ? 2 : 1;
  return at + 1;
}

std::vector<std::string> all_rules(const MemberType& member) {
  std::vector<std::string> rules;
  if (member.is_required) rules.emplace_back("required()");
  if (member.merge_strategy == "atomic") rules.emplace_back("atomic()");
  if (member.merge_strategy == "set") rules.emplace_back("list_set()");
  if (member.merge_strategy == "map") {
    std::string keys;
    for (const std::string& key : member.keys) keys += (keys.empty() ? "" : ", ") + literal(key);
    rules.push_back("list_map(" + keys + ")");
  }
  rules.insert(rules.end(), member.rules.begin(), member.rules.end());
  return rules;
}

// Returns the name of the constant with the rules of a row, such as "required_by_name"; "" if there are no rules.
std::string row_rules(const MemberType& member) {
  std::string name = member.is_required ? "required" : "";
  const auto add = [&](std::string_view part) { name.append(name.empty() ? "" : "_").append(part); };
  if (member.merge_strategy == "atomic" || member.merge_strategy == "set") add(member.merge_strategy);
  for (const std::string& key : member.keys) add((&key == &member.keys.front() ? "by_" : "and_") + snake_case(key));
  return name;
}

bool has_fields(const StructType& type) { return !type.kind || type.kind->has_own_fields; }

void Printer::print_facts(const StructType& type) {
  if (type.kind) {
    lines_.add(fmt::format("static constexpr {}Type type{{{}, {}}};", prefix_, literal(type.kind->api_version),
                           literal(type.kind->kind)));
    for (const std::string& fact : type.kind->facts) lines_.add("static constexpr " + fact + ";");
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
    lines_.add(fmt::format("friend {}{}EnumTable enum_names({});", exported(options_), prefix_, type.name));
    print_texts(type);
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

// Prints the texts for Choice, which the header must contain.
void Printer::print_texts(const EnumType& type) {
  std::vector<std::string> pieces(1);  // of one literal, for one line each
  for (const auto& [name, text] : type.values) {
    const std::string part = text + (&name == &type.values.back().first ? "" : "|");
    if (!lines_.fits(literal(pieces.back() + part) + ";", 9)) pieces.emplace_back();
    pieces.back() += part;
  }
  const std::string start = fmt::format("friend consteval std::string_view enum_texts({}) {{", type.name);
  const std::string line = start + " return " + literal(pieces.front()) + "; }";
  if (pieces.size() == 1 && lines_.fits(line)) return lines_.add(line);
  lines_.add(start);
  for (const std::string& piece : pieces) {
    const bool is_first = &piece == &pieces.front();
    lines_.add((is_first ? "return " : "") + literal(piece) + (&piece == &pieces.back() ? ";" : ""), is_first ? 2 : 9);
  }
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

// Prints a call with its arguments, at most two. `start` is the text before them, `end` the text behind them.
void Printer::print_call(const std::string& start, const std::vector<std::string>& arguments, const std::string& end,
                         std::size_t further) {
  std::string all;
  for (const std::string& argument : arguments) all += (all.empty() ? "" : " ") + argument;
  if (lines_.fits(start + all + end, further) || arguments.empty()) return lines_.add(start + all + end, further);
  const auto ending = [&](const std::string& argument) { return &argument == &arguments.back() ? end : ""; };
  const auto fits_behind = [&](const std::string& argument) {
    return lines_.fits(argument + ending(argument), further + start.size());
  };
  if (arguments.size() > 1 && std::all_of(arguments.begin(), arguments.end(), fits_behind)) {
    lines_.add(start + arguments.front(), further);
    return lines_.add(arguments.back() + end, further + start.size());
  }
  lines_.add(start, further);
  if (lines_.fits(all + end, further + 4)) return lines_.add(all + end, further + 4);
  for (const std::string& argument : arguments) lines_.add(argument + ending(argument), further + 4);
}

void Printer::print_field(const StructType& type, const MemberType& member) {
  const std::vector<std::string> rules = all_rules(member);
  const std::vector<std::string> arguments{literal(member.json) + ",", fmt::format("&{}::{}", type.name, member.name)};
  std::string line = fmt::format("pintle::field({} {})", arguments.front(), arguments.back());
  for (const std::string& rule : rules) line += "." + rule;
  if (lines_.fits(line + ",", 6)) return lines_.add(line + ",", 6);
  print_call("pintle::field(", arguments, rules.empty() ? ")," : ")", 6);
  for (const std::string& rule : rules) print_rule("." + rule + (&rule == &rules.back() ? "," : ""), 10);
}

void Printer::print_rule(const std::string& rule, std::size_t further) {
  const std::size_t open = rule.find('(') + 1;
  const std::size_t close = rule.rfind(')');
  std::vector<std::string> arguments;
  if (close > open) arguments.push_back(rule.substr(open, close - open));
  // Only a rule in CEL has two arguments: two literals, the expression and its message.
  const std::size_t comma = rule.find("rule(") <= std::string_view("pintle::").size() && !arguments.empty()
                                ? end_of_literal(arguments.front())
                                : 0;
  if (comma != 0 && comma + 2 < arguments.front().size()) {
    arguments = {arguments.front().substr(0, comma + 1), arguments.front().substr(comma + 2)};
  }
  print_call(rule.substr(0, open), arguments, rule.substr(close), further);
}

void Printer::print_fields(const StructType& type) {
  if (options_.is_split) return lines_.add(fmt::format("static {}FieldTable fields();", prefix_));
  if (type.members.empty()) return lines_.add("static constexpr auto fields() { return pintle::fields(); }");
  lines_.add("static constexpr auto fields() {");
  lines_.add("return pintle::Fields{", 2);
  for (const MemberType& member : type.members) print_field(type, member);
  for (const std::string& rule : type.rules) print_rule("pintle::" + rule + ",", 6);
  lines_.add("};", 2);
  lines_.add("}");
}

void Printer::print_struct(const StructType& type, std::string_view mark) {
  lines_.comment(type.description);
  lines_.add(fmt::format("struct {}{} {{", mark, type.name));
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
  if (has_nested) lines_.gap();
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
  const std::string rules = row_rules(member);
  std::vector<std::string> parts{"{" + literal(member.json) + ",", fmt::format("member<&{}::{}>", path, member.name)};
  if (!rules.empty()) {
    parts.back() += ",";
    parts.push_back(rules);
  }
  parts.back() += "},";
  std::string line;
  std::size_t further = 6;
  for (const std::string& part : parts) {
    if (!line.empty() && !lines_.fits(line + " " + part, further)) {
      lines_.add(std::exchange(line, ""), further);
      further = 7;
    }
    line += (line.empty() ? "" : " ") + part;
  }
  lines_.add(line, further);
}

// Prints each set of rules that a row of this header uses, once.
void Printer::print_rules(const Header& header) {
  std::map<std::string, const MemberType*> rules;
  for (const auto& [name, type] : header.structs) {
    for (const MemberType& member : type.members) rules.emplace(row_rules(member), &member);
  }
  rules.erase("");
  rules.erase("required");
  if (rules.empty()) return;
  lines_.add("namespace {");
  lines_.add("");
  for (const auto& [name, member] : rules) {
    std::string facts = member->is_required ? ".required = true, " : "";
    facts += ".merge_strategy = MergeStrategy::" + member->merge_strategy;
    std::string keys;
    for (std::size_t i = 0; i < 4 && !member->keys.empty(); ++i) {
      keys += (i == 0 ? "" : ", ") + (i < member->keys.size() ? literal(member->keys[i]) : "\"\"");
    }
    if (!keys.empty()) facts += ", .keys = {" + keys + "}";
    print_call("constexpr FieldRules " + name + "{", {".is_set = true, " + facts}, "};", 0);
  }
  lines_.add("");
  lines_.add("}  // namespace");
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

// Returns the structs ordered by name, with each struct behind the structs that it uses.
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
  return options.root == builtin_root ? "<pintle/api/" + name.path() + ">" : quote(name.path());
}

std::string namespace_of(const HeaderName& name, const PrintOptions& options) {
  return fmt::format("{}{}{}::{}", options.root, options.root.empty() ? "" : "::", name.folder, name.version);
}

void print_includes(const HeaderName& name, const Header& header, const PrintOptions& options, Lines& lines) {
  std::set<std::string> standard;
  std::set<std::string> ours{options.is_split ? "<pintle/object/declared.hpp>" : "<pintle/object/fields.hpp>"};
  const bool has_kind = std::any_of(header.structs.begin(), header.structs.end(),
                                    [](const auto& type) { return type.second.kind.has_value(); });
  if (options.is_split && has_kind) ours.insert({"<pintle/object/kind.hpp>", "<pintle/object/metadata.hpp>"});
  if (!exported(options).empty()) ours.insert("<pintle/base/annotations.hpp>");
  std::set<std::string> siblings;
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
  lines.add(fmt::format("// {}ypes of {}, version {}. Written by `pintle gen types`, which writes it anew.",
                        name.part.empty() ? "T" : "Some t", name.folder, name.version));
  lines.add("#pragma once");
  lines.gap();
  print_includes(name, header, options, lines);
  lines.add("namespace " + namespace_of(name, options) + " {");
  if (!header.forwards.empty()) lines.gap();
  for (const std::string& forward : header.forwards) lines.add("struct " + forward + ";");
  for (const StructType* type : in_order(header)) {
    lines.add("");
    printer.print_struct(*type, exported(options));
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
  printer.print_rules(header);
  for (const StructType* type : in_order(header)) {
    lines.gap();
    printer.print_tables(*type, type->name);
  }
  lines.gap();
  lines.add("}  // namespace " + namespace_of(name, options));
  return lines.take();
}

}  // namespace pintle::tools
