// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/selector.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/object/names.hpp>

namespace pintle {
namespace {

using Operator = LabelSelector::Requirement::Operator;

std::optional<std::int64_t> as_integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The checks that parse() and from_json() share.
Result<void> check(const LabelSelector::Requirement& requirement) {
  if (auto error = names::validate_qualified_name(requirement.key)) {
    return fail(ErrorCode::invalid, "label key " + quote(requirement.key) + ": " + *error);
  }
  const bool is_set = requirement.op == Operator::in || requirement.op == Operator::not_in;
  if (is_set && requirement.values.empty()) {
    return fail(ErrorCode::invalid, "label key " + quote(requirement.key) + ": in and notin need at least one value");
  }
  for (const std::string& value : requirement.values) {
    const bool is_bound = requirement.op == Operator::greater_than || requirement.op == Operator::less_than;
    if (is_bound && !as_integer(value)) {
      return fail(ErrorCode::invalid, "label value " + quote(value) + ": must be an integer for \">\" and \"<\"");
    }
    if (auto error = names::validate_label_value(value)) {
      return fail(ErrorCode::invalid, "label value " + quote(value) + ": " + *error);
    }
  }
  return {};
}

// Reads "key", "!key", "key op value" and "key in (a,b)", separated by commas.
class LabelParser {
 public:
  explicit LabelParser(std::string_view text) : rest_(text) {}

  Result<std::vector<LabelSelector::Requirement>> parse() {
    std::vector<LabelSelector::Requirement> requirements;
    advance();
    if (token_.empty()) return requirements;
    while (true) {
      auto requirement = parse_requirement();
      if (!requirement) return fail(std::move(requirement.error()));
      requirements.push_back(std::move(*requirement));
      if (token_.empty()) return requirements;
      if (token_ != ",") return unexpected("\",\" or the end");
      advance();
    }
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool is_symbol(char c) { return std::string_view("=!(),<>").find(c) != std::string_view::npos; }

  // Reads the next symbol or word into `token_`; "" at the end.
  void advance() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    std::size_t length = 0;
    if (rest_.starts_with("==") || rest_.starts_with("!=")) {
      length = 2;
    } else if (!rest_.empty() && is_symbol(rest_.front())) {
      length = 1;
    } else {
      while (length < rest_.size() && !is_blank(rest_[length]) && !is_symbol(rest_[length])) ++length;
    }
    token_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  [[nodiscard]] bool at_word() const { return !token_.empty() && !is_symbol(token_.front()); }

  [[nodiscard]] tl::unexpected<Error> unexpected(std::string_view wanted) const {
    return fail(ErrorCode::invalid, "label selector: expected " + std::string(wanted) + ", found " +
                                        (token_.empty() ? "the end" : quote(token_)));
  }

  Result<LabelSelector::Requirement> parse_requirement() {
    LabelSelector::Requirement requirement;
    if (token_ == "!") {
      requirement.op = Operator::does_not_exist;
      advance();
    }
    if (!at_word()) return unexpected("a label key");
    requirement.key = token_;
    advance();
    if (requirement.op == Operator::exists && !token_.empty() && token_ != ",") {
      if (auto parsed = parse_condition(requirement); !parsed) return fail(std::move(parsed.error()));
    }
    if (auto fine = check(requirement); !fine) return fail(std::move(fine.error()));
    return requirement;
  }

  Result<void> parse_condition(LabelSelector::Requirement& requirement) {
    static constexpr std::pair<std::string_view, Operator> operators[] = {
        {"=", Operator::in},         {"==", Operator::in},          {"!=", Operator::not_in},  {"in", Operator::in},
        {"notin", Operator::not_in}, {">", Operator::greater_than}, {"<", Operator::less_than}};
    const auto* found = std::find_if(std::begin(operators), std::end(operators),
                                     [this](const auto& entry) { return entry.first == token_; });
    if (found == std::end(operators)) return unexpected("one of =, ==, !=, in, notin, >, <");
    requirement.op = found->second;
    const bool is_list = token_ == "in" || token_ == "notin";
    advance();
    if (is_list) return parse_list(requirement.values);
    requirement.values.emplace_back(take_value());
    return {};
  }

  // A value may be empty: "a=" and "a=,b".
  std::string_view take_value() {
    if (!at_word()) return "";
    const std::string_view value = token_;
    advance();
    return value;
  }

  Result<void> parse_list(std::vector<std::string>& values) {
    if (token_ != "(") return unexpected("\"(\"");
    advance();
    values.emplace_back(take_value());  // "()" contains an empty value, as in Kubernetes
    while (token_ == ",") {
      advance();
      values.emplace_back(take_value());
    }
    if (token_ != ")") return unexpected("\",\" or \")\"");
    advance();
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return {};
  }

  std::string_view rest_;
  std::string_view token_;
};

bool meets(const LabelSelector::Requirement& requirement, json::View labels) {
  const json::View label = labels.member(requirement.key);
  const auto has = [&] {
    return std::find(requirement.values.begin(), requirement.values.end(), label.text()) != requirement.values.end();
  };
  const auto compare = [&](bool greater) {
    const auto value = as_integer(label.text());
    const auto bound = requirement.values.empty() ? std::nullopt : as_integer(requirement.values.front());
    return value && bound && (greater ? *value > *bound : *value < *bound);
  };
  switch (requirement.op) {
    case Operator::in: return label.exists() && has();
    case Operator::not_in: return !label.exists() || !has();
    case Operator::exists: return label.exists();
    case Operator::does_not_exist: return !label.exists();
    case Operator::greater_than: return label.exists() && compare(true);
    case Operator::less_than: return label.exists() && compare(false);
  }
  return false;
}

std::string print(const LabelSelector::Requirement& requirement) {
  const auto first = requirement.values.empty() ? std::string() : requirement.values.front();
  const auto list = [&] {
    std::string text;
    for (const std::string& value : requirement.values)
      text += (&value == requirement.values.data() ? "(" : ",") + value;
    return text + ")";
  };
  const bool single = requirement.values.size() == 1;
  switch (requirement.op) {
    case Operator::in: return requirement.key + (single ? "=" + first : " in " + list());
    case Operator::not_in: return requirement.key + (single ? "!=" + first : " notin " + list());
    case Operator::exists: return requirement.key;
    case Operator::does_not_exist: return "!" + requirement.key;
    case Operator::greater_than: return requirement.key + ">" + first;
    case Operator::less_than: return requirement.key + "<" + first;
  }
  return {};
}

Result<Operator> operator_of(std::string_view name) {
  if (name == "In") return Operator::in;
  if (name == "NotIn") return Operator::not_in;
  if (name == "Exists") return Operator::exists;
  if (name == "DoesNotExist") return Operator::does_not_exist;
  return fail(ErrorCode::invalid,
              "label selector: unknown operator " + quote(name) + "; use In, NotIn, Exists or DoesNotExist");
}

Result<LabelSelector::Requirement> expression(json::View entry) {
  LabelSelector::Requirement requirement;
  requirement.key = entry.member("key").text();
  auto op = operator_of(entry.member("operator").text());
  if (!op) return fail(std::move(op.error()));
  requirement.op = *op;
  for (const json::View value : entry.member("values").elements()) requirement.values.emplace_back(value.text());
  const bool takes_values = *op == Operator::in || *op == Operator::not_in;
  if (!takes_values && !requirement.values.empty()) {
    return fail(ErrorCode::invalid, "label key " + quote(requirement.key) + ": Exists and DoesNotExist take no values");
  }
  if (auto fine = check(requirement); !fine) return fail(std::move(fine.error()));
  return requirement;
}

}  // namespace

Result<LabelSelector> LabelSelector::parse(std::string_view text) {
  auto requirements = LabelParser(text).parse();
  if (!requirements) return fail(std::move(requirements.error()));
  LabelSelector selector;
  selector.requirements = std::move(*requirements);
  return selector;
}

Result<LabelSelector> LabelSelector::from_json(json::View json) {
  if (!json.is_object()) return fail(ErrorCode::invalid, "label selector: expected an object");
  LabelSelector selector;
  for (const auto [key, value] : json.member("matchLabels").members()) {
    Requirement requirement{std::string(key), Requirement::Operator::in, {std::string(value.text())}};
    if (auto fine = check(requirement); !fine) return fail(std::move(fine.error()));
    selector.requirements.push_back(std::move(requirement));
  }
  for (const json::View entry : json.member("matchExpressions").elements()) {
    auto requirement = expression(entry);
    if (!requirement) return fail(std::move(requirement.error()));
    selector.requirements.push_back(std::move(*requirement));
  }
  return selector;
}

bool LabelSelector::matches(json::View labels) const noexcept {
  return std::all_of(requirements.begin(), requirements.end(),
                     [labels](const Requirement& requirement) { return meets(requirement, labels); });
}

std::string LabelSelector::to_string() const {
  std::string text;
  for (const Requirement& requirement : requirements) text += (text.empty() ? "" : ",") + print(requirement);
  return text;
}

}  // namespace pintle
