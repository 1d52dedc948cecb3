// SPDX-License-Identifier: Apache-2.0
// check_literals(): mistakes in literals that have correct types.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/type.hpp>

#include "cel/library/string_format.hpp"
#include "cel/syntax/ast.hpp"
#include "cel/syntax/issues.hpp"
#include "cel/value/time_text.hpp"
#include "checked.hpp"
#include "checker.hpp"
#include "unifier.hpp"

namespace pintle::cel {
namespace {

bool is_valid_pattern(std::string_view pattern) {
  return RE2(re2::StringPiece(pattern.data(), pattern.size()), RE2::Quiet).ok();
}

class LiteralCheck {
 public:
  LiteralCheck(const CheckedAst& checked, Issues& issues)
      : checked_(checked), issues_(issues), is_visited_(checked.tree.nodes.size()) {}

  // The arguments of format() may contain lists of different types.
  void visit(NodeId id, bool is_in_format) {
    if (is_visited_[id]) return;  // the expansion of a macro may use a node twice
    is_visited_[id] = true;
    const Node& node = checked_.tree[id];
    if (node.kind == NodeKind::call) check_text(node);
    if (is_format_call(node)) check_format(node);
    if (node.kind == NodeKind::list && !is_in_format) check_parts(node, 0, 1, false);
    if (node.kind == NodeKind::map && !is_in_format) {
      check_parts(node, 0, 2, true);
      check_parts(node, 1, 2, true);
    }
    const bool is_format = is_in_format || (node.kind == NodeKind::call && node.name == "format");
    if (node.target != no_node) visit(node.target, is_format);
    for (const auto part : node.parts) visit(part, is_format);
    if (node.fold) visit_fold(*node.fold, is_format);
  }

 private:
  void visit_fold(const Fold& fold, bool is_in_format) {
    for (const auto part : {fold.range, fold.init, fold.condition, fold.step, fold.result}) visit(part, is_in_format);
  }

  void check_parts(const Node& node, std::size_t first, std::size_t step, bool is_map) {
    std::optional<Type> expected;
    for (auto i = first; i < node.parts.size(); i += step) {
      const bool may_be_optional = !is_map || first == 1;
      auto type = checked_.types[node.parts[i]];
      const auto entry = i / step;
      if (may_be_optional && entry < node.optional.size() && node.optional[entry] && !type.parameters().empty()) {
        type = Type(type.parameters()[0]);
      }
      if (!expected) {
        expected = type;
      } else if (*expected != type) {
        issues_.add(checked_.tree[node.parts[i]].offset,
                    fmt::format("expected type '{}' but found '{}'", describe_type(*expected), describe_type(type)));
        if (!is_map) return;
      }
    }
  }

  void check_text(const Node& call) {
    if (call.parts.empty() || checked_.tree[call.parts[0]].kind != NodeKind::constant) return;
    const Node& argument = checked_.tree[call.parts[0]];
    const auto text = argument.constant.as_string();
    if (!text) return check_seconds(call, argument);
    const bool is_valid = call.name == "duration"    ? parse_duration_text(*text).has_value()
                          : call.name == "timestamp" ? parse_timestamp(*text).has_value()
                          : call.name == "matches"   ? is_valid_pattern(*text)
                                                     : true;
    if (!is_valid) issues_.add(argument.offset, fmt::format("invalid {} argument", call.name));
  }

  void check_seconds(const Node& call, const Node& argument) {
    constexpr std::int64_t first = -62'135'596'800;  // of year 1
    constexpr std::int64_t last = 253'402'300'799;   // of year 9999
    const auto seconds = argument.constant.as_integer();
    if (call.name != "timestamp" || !seconds || (*seconds >= first && *seconds <= last)) return;
    issues_.add(argument.offset, "invalid timestamp argument");
  }

  // A call of format() with literals, so that the types of its arguments are known.
  [[nodiscard]] bool is_format_call(const Node& node) const {
    if (node.kind != NodeKind::call || node.name != "format" || node.target == no_node || node.parts.size() != 1) {
      return false;
    }
    return checked_.tree[node.target].kind == NodeKind::constant &&
           checked_.tree[node.target].constant.as_string().has_value() &&
           checked_.tree[node.parts[0]].kind == NodeKind::list;
  }

  void check_format(const Node& call) {
    const auto& arguments = checked_.tree[call.parts[0]].parts;
    std::size_t used = 0;
    auto offset = call.offset;
    const FormatVisitor visitor{
        .text = [](std::string_view) {},
        .clause = [&](const FormatClause& clause) -> Result<void> {
          ++used;
          const auto wrong = misfit(clause.kind, arguments[clause.argument]);
          if (wrong == no_node) return {};
          offset = checked_.tree[wrong].offset;
          return fail(ErrorCode::invalid,
                      "error during formatting: " + format_mismatch(clause.kind, checked_.types[wrong].name()));
        },
        .is_check = true};
    if (const auto visited = visit_format(*checked_.tree[call.target].constant.as_string(), arguments.size(), visitor);
        !visited) {
      issues_.add(offset, visited.error().message);
    } else if (arguments.size() > used) {
      issues_.add(offset, fmt::format("too many arguments supplied to string.format (expected {}, got {})", used,
                                      arguments.size()));
    }
  }

  // Returns the part of an argument that a clause cannot format; no_node if it can.
  [[nodiscard]] NodeId misfit(char clause, NodeId argument) const {
    const Node& node = checked_.tree[argument];
    if (!can_format(clause, checked_.types[argument].kind())) return argument;
    if (clause != 's' || (node.kind != NodeKind::list && node.kind != NodeKind::map)) return no_node;
    for (const auto part : node.parts) {
      if (const auto wrong = misfit(clause, part); wrong != no_node) return wrong;
    }
    return no_node;
  }

  static bool can_format(char clause, Type::Kind kind) {
    using Kind = Type::Kind;
    if (kind == Kind::dyn) return true;
    const bool is_integer = kind == Kind::integer || kind == Kind::unsigned_integer;
    switch (clause) {
      case 's': return kind != Kind::optional && kind != Kind::opaque && kind != Kind::object;
      case 'f':
      case 'e': return kind == Kind::number || kind == Kind::string;
      case 'b': return is_integer || kind == Kind::boolean;
      case 'x':
      case 'X': return is_integer || kind == Kind::string || kind == Kind::bytes;
      default: return is_integer;
    }
  }

  const CheckedAst& checked_;
  Issues& issues_;
  std::vector<bool> is_visited_;
};

}  // namespace

void check_literals(const CheckedAst& checked, Issues& issues) {
  LiteralCheck(checked, issues).visit(checked.tree.root, false);
}

}  // namespace pintle::cel
