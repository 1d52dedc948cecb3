// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/error.hpp>
#include <pintle/cel/environment.hpp>
#include <pintle/cel/value.hpp>

#include "ast.hpp"
#include "issues.hpp"
#include "lexer.hpp"
#include "literal.hpp"
#include "macro.hpp"
#include "token.hpp"
#include "tree_builder.hpp"

namespace pintle::cel {
namespace {

constexpr const char* expression_starts =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

constexpr std::array<std::string_view, 17> reserved_words = {
    "as",  "break", "const",   "continue",  "else",   "for", "function", "if",   "import",
    "let", "loop",  "package", "namespace", "return", "var", "void",     "while"};

struct Operator {
  std::string_view symbol;
  const char* function;
  int level;
};

constexpr std::array<Operator, 12> binary_operators = {{{"<", "_<_", 1},
                                                        {"<=", "_<=_", 1},
                                                        {">=", "_>=_", 1},
                                                        {">", "_>_", 1},
                                                        {"==", op::equals, 1},
                                                        {"!=", op::not_equals, 1},
                                                        {"in", op::in, 1},
                                                        {"+", op::add, 2},
                                                        {"-", "_-_", 2},
                                                        {"*", "_*_", 3},
                                                        {"/", "_/_", 3},
                                                        {"%", "_%_", 3}}};
constexpr int last_level = 3;

// A recursive descent parser. After the first mistake in the grammar, every function returns at once.
class Parser {
 public:
  Parser(const Source& source, std::span<const Macro> macros, const CompileLimits& limits, Issues& issues)
      : macros_(macros), limits_(limits), tokens_(scan(source.text(), issues)), tree_(limits, issues) {}

  Ast run() {
    const auto root = parse_expression();
    if (!is_stopped() && token().kind != TokenKind::end) {
      const bool is_last = tokens_[at_ + 1].kind == TokenKind::end;
      fail_at_token(fmt::format("{} input '{}' expecting <EOF>", is_last ? "extraneous" : "mismatched", token().text));
    }
    return tree_.finish(root);
  }

 private:
  [[nodiscard]] const Token& token() const noexcept { return tokens_[at_]; }
  [[nodiscard]] bool is_stopped() const noexcept { return has_failed_ || tree_.is_full(); }

  bool accept(std::string_view symbol) {
    if (is_stopped() || !token().is(symbol)) return false;
    ++at_;
    return true;
  }

  void fail_at_token(const std::string& message) {
    if (!is_stopped()) tree_.report(token().offset, "Syntax error: " + message);
    has_failed_ = true;
  }

  void expect(std::string_view symbol) {
    if (is_stopped() || accept(symbol)) return;
    const bool is_end = token().kind == TokenKind::end;
    fail_at_token(is_end ? fmt::format("missing '{}' at '<EOF>'", symbol)
                         : fmt::format("mismatched input '{}' expecting '{}'", token().text, symbol));
  }

  [[nodiscard]] bool starts_expression(const Token& token) const noexcept {
    if (token.kind == TokenKind::end || token.kind == TokenKind::escaped_identifier) return false;
    constexpr std::array<std::string_view, 9> symbols = {"[", "{", "(", ".", "-", "!", "true", "false", "null"};
    return token.kind != TokenKind::symbol || std::ranges::find(symbols, token.text) != symbols.end();
  }

  NodeId fail_without_operand() {
    const bool is_extra = token().kind != TokenKind::end && starts_expression(tokens_[at_ + 1]);
    fail_at_token(fmt::format("{} input '{}' expecting {}", is_extra ? "extraneous" : "mismatched", token().text,
                              expression_starts));
    return no_node;
  }

  NodeId parse_expression() {
    if (is_stopped()) return no_node;
    if (depth_ >= limits_.max_depth) {
      fail_at_token(fmt::format("expression recursion limit exceeded: {}", limits_.max_depth));
      return no_node;
    }
    ++depth_;
    const auto result = parse_conditional();
    --depth_;
    return result;
  }

  NodeId parse_conditional() {
    const auto condition = parse_logical("||", op::logical_or);
    const auto offset = token().offset;
    if (!accept("?")) return condition;
    const auto then = parse_logical("||", op::logical_or);
    expect(":");
    const auto otherwise = parse_expression();
    if (is_stopped()) return no_node;
    return tree_.call(offset, op::conditional, {condition, then, otherwise});
  }

  // All terms of a || b || c are arguments of one call.
  NodeId parse_logical(std::string_view symbol, const char* function) {
    const auto next = [&] {
      return function == std::string_view(op::logical_or) ? parse_logical("&&", op::logical_and) : parse_binary(1);
    };
    std::vector<NodeId> terms = {next()};
    const auto offset = token().offset;
    while (accept(symbol)) terms.push_back(next());
    if (is_stopped()) return no_node;
    return terms.size() == 1 ? terms.front() : tree_.call(offset, function, std::move(terms));
  }

  NodeId parse_binary(int level) {
    if (level > last_level) return parse_unary();
    auto left = parse_binary(level + 1);
    while (!is_stopped()) {
      const auto& symbol = token();
      const auto found = std::ranges::find_if(
          binary_operators, [&](const Operator& each) { return each.level == level && symbol.is(each.symbol); });
      if (found == binary_operators.end()) break;
      ++at_;
      const auto right = parse_binary(level + 1);
      if (!is_stopped()) left = tree_.call(symbol.offset, found->function, {left, right});
    }
    return left;
  }

  NodeId parse_unary() {
    for (const auto& [symbol, function] : {std::pair("!", op::logical_not), std::pair("-", op::negate)}) {
      const auto offset = token().offset;
      std::size_t count = 0;
      while (token().is(symbol) && !is_sign_of_literal() && accept(symbol)) ++count;
      if (count == 0) continue;
      const auto operand = parse_member();
      if (is_stopped()) return no_node;
      return count % 2 == 0 ? operand : tree_.call(offset, function, {operand});
    }
    return parse_member();
  }

  [[nodiscard]] bool is_sign_of_literal() const noexcept {
    if (!token().is("-")) return false;
    const auto next = tokens_[at_ + 1].kind;
    return next == TokenKind::integer || next == TokenKind::number;
  }

  NodeId parse_member() {
    auto operand = parse_primary();
    while (!is_stopped()) {
      const auto offset = token().offset;
      if (accept(".")) {
        operand = parse_field(operand, offset);
      } else if (accept("[")) {
        const bool is_optional = accept("?");
        const auto index = parse_expression();
        expect("]");
        if (is_stopped()) return no_node;
        operand = tree_.call(offset, is_optional ? op::optional_index : op::index, {operand, index});
      } else {
        break;
      }
    }
    return operand;
  }

  NodeId parse_field(NodeId operand, std::size_t offset) {
    const bool is_optional = accept("?");
    const auto name = take_field_name();
    if (is_stopped()) return no_node;
    if (is_optional) {
      const auto field = tree_.constant(name.offset, Value::string(std::string(name.text)));
      return tree_.call(offset, op::optional_select, {operand, field});
    }
    const auto open = token().offset;
    if (!accept("(")) return tree_.select(offset, operand, std::string(name.text));
    auto arguments = parse_arguments();
    if (is_stopped()) return no_node;
    return make_call({.offset = open, .target = operand, .arguments = std::move(arguments)}, std::string(name.text));
  }

  Token take_field_name() {
    const auto name = token();
    if (name.kind == TokenKind::identifier) {
      ++at_;
    } else if (name.kind == TokenKind::escaped_identifier) {
      tree_.report(name.offset, "unsupported syntax: '`'");
      has_failed_ = true;
    } else {
      fail_at_token(fmt::format("mismatched input '{}' expecting IDENTIFIER", name.text));
    }
    return name;
  }

  // Parses the arguments behind "(", and the ")".
  std::vector<NodeId> parse_arguments() {
    std::vector<NodeId> arguments;
    if (accept(")")) return arguments;
    do arguments.push_back(parse_expression());
    while (accept(","));
    expect(")");
    return arguments;
  }

  NodeId make_call(MacroCall call, std::string function) {
    const bool is_member = call.target != no_node;
    const auto macro = std::ranges::find_if(macros_, [&](const Macro& each) {
      return each.name == function && each.arguments == call.arguments.size() && each.is_member == is_member;
    });
    if (macro == macros_.end()) {
      return tree_.member_call(call.offset, std::move(function), call.target, std::move(call.arguments));
    }
    const auto expanded = macro->expand(tree_, call);
    // The rest of the text is still parsed, so that its issues are found too.
    return expanded == no_node ? tree_.constant(call.offset, Value::null()) : expanded;
  }

  NodeId parse_primary() {
    if (is_stopped()) return no_node;
    const auto offset = token().offset;
    if (accept("(")) {
      const auto nested = parse_expression();
      expect(")");
      return nested;
    }
    if (accept("[")) return parse_list(offset);
    if (accept("{")) return parse_map(offset);
    if (token().is(".") || token().kind == TokenKind::identifier) return parse_name();
    return parse_literal();
  }

  NodeId parse_literal() {
    const auto offset = token().offset;
    if (accept("true")) return tree_.constant(offset, Value::boolean(true));
    if (accept("false")) return tree_.constant(offset, Value::boolean(false));
    if (accept("null")) return tree_.constant(offset, Value::null());
    const bool negative = is_sign_of_literal() && accept("-");
    const auto literal = token();
    switch (literal.kind) {
      case TokenKind::integer: return make_number(offset, read_integer(literal.text, negative), &Value::integer, "int");
      case TokenKind::unsigned_integer:
        return make_number(offset, read_unsigned(literal.text), &Value::unsigned_integer, "uint");
      case TokenKind::number: return make_number(offset, read_number(literal.text, negative), &Value::number, "double");
      case TokenKind::string:
      case TokenKind::bytes: return make_string(literal);
      default: return fail_without_operand();
    }
  }

  template <class Number>
  NodeId make_number(std::size_t offset, std::optional<Number> number, Value (*make)(Number) noexcept,
                     std::string_view type) {
    ++at_;
    if (!number) tree_.report(offset, fmt::format("invalid {} literal", type));
    return tree_.constant(offset, make(number.value_or(0)));
  }

  NodeId make_string(const Token& literal) {
    ++at_;
    auto text = read_string(literal.text, literal.kind == TokenKind::bytes);
    if (text) return tree_.constant(literal.offset, *std::move(text));
    tree_.report(literal.offset, text.error().message);
    return tree_.constant(literal.offset, Value::string(""));
  }

  // A name, a call of a function, or an object: `a`, `.a`, `f(x)`, `a.b{c: d}`.
  NodeId parse_name() {
    const auto start = at_;
    std::string name = accept(".") ? "." : "";
    const auto first = token();
    if (first.kind != TokenKind::identifier) {
      fail_at_token(fmt::format("mismatched input '{}' expecting IDENTIFIER", first.text));
      return no_node;
    }
    if (is_object_literal(at_)) return parse_object(start);
    ++at_;
    if (std::ranges::find(reserved_words, first.text) != reserved_words.end()) {
      tree_.report(first.offset, fmt::format("reserved identifier: {}", first.text));
    }
    name += first.text;
    const auto open = token().offset;
    if (!accept("(")) return tree_.identifier(first.offset, std::move(name));
    auto arguments = parse_arguments();
    if (is_stopped()) return no_node;
    return make_call({.offset = open, .arguments = std::move(arguments)}, std::move(name));
  }

  [[nodiscard]] bool is_object_literal(std::size_t at) const noexcept {
    while (tokens_[at].kind == TokenKind::identifier && tokens_[at + 1].is(".")) at += 2;
    return tokens_[at].kind == TokenKind::identifier && tokens_[at + 1].is("{");
  }

  NodeId parse_object(std::size_t at) {
    Node object{.kind = NodeKind::object};
    for (at_ = at; !token().is("{"); ++at_) object.name += token().text;
    object.offset = token().offset;
    accept("{");
    while (!is_stopped() && !accept("}")) {
      object.optional.push_back(accept("?"));
      object.names.emplace_back(take_field_name().text);
      expect(":");
      object.parts.push_back(parse_expression());
      if (!accept(",")) expect_end_of_literal("}");
    }
    return is_stopped() ? no_node : tree_.add(std::move(object));
  }

  NodeId parse_list(std::size_t offset) {
    std::vector<NodeId> elements;
    std::vector<bool> optional;
    if (accept(",")) expect_end_of_literal("]");
    while (!is_stopped() && !accept("]")) {
      optional.push_back(accept("?"));
      elements.push_back(parse_expression());
      if (!accept(",")) expect_end_of_literal("]");
    }
    return is_stopped() ? no_node : tree_.list(offset, std::move(elements), std::move(optional));
  }

  NodeId parse_map(std::size_t offset) {
    Node map{.kind = NodeKind::map, .offset = offset};
    if (accept(",")) expect_end_of_literal("}");
    while (!is_stopped() && !accept("}")) {
      map.optional.push_back(accept("?"));
      map.parts.push_back(parse_expression());
      expect(":");
      map.parts.push_back(parse_expression());
      if (!accept(",")) expect_end_of_literal("}");
    }
    return is_stopped() ? no_node : tree_.add(std::move(map));
  }

  // Checks the bracket without taking it.
  void expect_end_of_literal(std::string_view bracket) {
    if (!is_stopped() && !token().is(bracket)) expect(bracket);
  }

  std::span<const Macro> macros_;
  const CompileLimits& limits_;
  std::vector<Token> tokens_;
  TreeBuilder tree_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool has_failed_ = false;
};

}  // namespace

Ast parse(const Source& source, std::span<const Macro> macros, const CompileLimits& limits, Issues& issues) {
  if (const auto size = source.code_points(); size > limits.max_code_points) {
    issues.add(
        0, fmt::format("expression code point size exceeds limit: size: {}, limit {}", size, limits.max_code_points));
    return {};
  }
  return Parser(source, macros, limits, issues).run();
}

}  // namespace pintle::cel
