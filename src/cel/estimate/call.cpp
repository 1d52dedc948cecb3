// SPDX-License-Identifier: Apache-2.0
// The costs are those of kube-apiserver, which a change of a rule must not exceed: also where they are higher than the
// costs at run time.
#include "call.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/cel/type.hpp>

#include "cel/syntax/ast.hpp"

namespace pintle::cel {
namespace {

using Kind = Type::Kind;

constexpr double per_byte = 0.1;
constexpr double per_pattern_byte = 0.25;
constexpr double longest_format_pattern = 128;
constexpr std::uint64_t longest_format_name = 64;
constexpr Range one = Range::exactly(1);
constexpr Range new_list = Range::exactly(10);

bool is_text_type(const Type& type) noexcept { return type.kind() == Kind::string || type.kind() == Kind::bytes; }

// The functions of one unit for which other rules would give another cost.
bool is_cheap(std::string_view function) {
  constexpr std::array<std::string_view, 44> names = {"serviceAccount",
                                                      "path",
                                                      "group",
                                                      "resource",
                                                      "subresource",
                                                      "namespace",
                                                      "name",
                                                      "allowed",
                                                      "reason",
                                                      "error",
                                                      "errored",
                                                      "masked",
                                                      "prefixLength",
                                                      "family",
                                                      "isUnspecified",
                                                      "isLoopback",
                                                      "isLinkLocalMulticast",
                                                      "isLinkLocalUnicast",
                                                      "isGlobalUnicast",
                                                      "format.named",
                                                      "sign",
                                                      "asInteger",
                                                      "isInteger",
                                                      "asApproximateFloat",
                                                      "isGreaterThan",
                                                      "isLessThan",
                                                      "compareTo",
                                                      "add",
                                                      "sub",
                                                      "major",
                                                      "minor",
                                                      "patch",
                                                      "getScheme",
                                                      "getHostname",
                                                      "getHost",
                                                      "getPort",
                                                      "getEscapedPath",
                                                      "getQuery"};
  return std::ranges::find(names, function) != names.end();
}

class CallEstimator {
 public:
  CallEstimator(const std::string& function, const Overload& overload, const Operand* target,
                std::span<const Operand> arguments, const MaxSize& max_size)
      : function_(function), overload_(overload), target_(target), arguments_(arguments), max_size_(max_size) {}

  [[nodiscard]] std::optional<CallEstimate> run() const {
    if (auto estimate = estimate_list()) return estimate;
    if (is_cheap(function_)) return CallEstimate{one};
    if (auto estimate = estimate_text()) return estimate;
    if (auto estimate = estimate_value()) return estimate;
    if (auto estimate = estimate_standard()) return estimate;
    return estimate_comparison();
  }

 private:
  [[nodiscard]] bool is(std::string_view name) const { return function_ == name; }
  template <class... Names>
  [[nodiscard]] bool is_one_of(Names... names) const {
    return ((function_ == names) || ...);
  }
  [[nodiscard]] const Type& parameter(std::size_t index) const { return overload_.parameters[index]; }
  [[nodiscard]] bool has_parameters(std::size_t count) const { return overload_.parameters.size() >= count; }

  [[nodiscard]] static Range size_of_operand(const Operand& operand) { return operand.size.value_or(Range::unknown()); }
  [[nodiscard]] Range target_size() const { return size_of_operand(*target_); }
  [[nodiscard]] Range argument_size(std::size_t index) const { return size_of_operand(arguments_[index]); }

  // The size of the elements of a list, if its type states what they are.
  [[nodiscard]] std::optional<Operand> element_of(const Operand& list) const {
    const auto parameters = list.type.parameters();
    if (parameters.empty()) return std::nullopt;
    Operand element{.type = parameters[0]};
    if (list.path.empty()) return element;
    element.path = list.path;
    element.path.emplace_back("@items");
    if (!max_size_) return element;
    if (const auto size = max_size_(element.path)) element.size = Range{0, *size};
    return element;
  }

  // ---- lists

  [[nodiscard]] static CallEstimate allocating(double factor, const Range& size) {
    return {size * factor + one + new_list, size};
  }

  [[nodiscard]] std::uint64_t literal_or(const Operand& operand, std::uint64_t otherwise) const {
    const auto number = operand.literal == nullptr ? std::nullopt : operand.literal->as_integer();
    return number ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, *number)) : otherwise;
  }

  [[nodiscard]] std::optional<CallEstimate> estimate_list() const {
    const bool is_list = target_ != nullptr && has_parameters(1) && parameter(0).kind() == Kind::list;
    if (is("slice") && is_list) {
      const auto start = literal_or(arguments_[0], 0);
      const auto end = literal_or(arguments_[1], target_size().max);
      return allocating(1, Range::exactly(end - start));
    }
    if (is("lists.range")) return allocating(1, Range::exactly(literal_or(arguments_[0], UINT64_MAX)));
    if (is("reverse") && is_list) return allocating(1, target_size());
    if (is("flatten") && is_list) {
      const auto depth = arguments_.empty() ? 1 : literal_or(arguments_[0], UINT64_MAX);
      return allocating(static_cast<double>(depth), target_size());
    }
    if (is("distinct") && is_list) return allocating(2, target_size() * target_size());
    if (is("sort") && is_list) return sorting(*target_, parameter(0));
    if (is("@sortByAssociatedKeys")) return sorting(arguments_[0], parameter(1));
    if (is_one_of("sets.contains", "sets.intersects", "sets.equivalent")) {
      const double factor = is("sets.equivalent") ? 2 : 1;
      return CallEstimate{(argument_size(0) * argument_size(1)) * factor + one};
    }
    return std::nullopt;
  }

  [[nodiscard]] static CallEstimate sorting(const Operand& keys, const Type& list) {
    const auto size = size_of_operand(keys);
    return allocating(is_text_type(list.parameters()[0]) ? 2 + per_byte : 2, size * size);
  }

  // ---- strings

  [[nodiscard]] std::optional<CallEstimate> estimate_text() const {
    if (is_one_of("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf") && target_ != nullptr) return scanning();
    if (is_one_of("url", "jsonpatch.escapeKey") && arguments_.size() == 1) {
      return CallEstimate{argument_size(0) * per_byte, argument_size(0)};
    }
    if (target_ == nullptr) return std::nullopt;
    if (is_one_of("lowerAscii", "upperAscii", "substring", "trim")) {
      return CallEstimate{target_size() * per_byte, target_size()};
    }
    if (is("replace")) return replacing();
    if (is("split")) {
      const auto most = arguments_.size() > 1 ? literal_or(arguments_[1], target_size().max) : target_size().max;
      return CallEstimate{target_size() * (2 * per_byte), Range{0, most}};
    }
    if (is("join")) return joining();
    if (is_one_of("find", "findAll")) {
      return CallEstimate{((target_size() + one) * per_byte) * (argument_size(0) * per_pattern_byte),
                          Range{0, target_size().max}};
    }
    return std::nullopt;
  }

  [[nodiscard]] CallEstimate scanning() const {
    const auto element = element_of(*target_);
    if (!element) return {target_size() * per_byte};
    auto cost = one;
    if (is_text_type(element->type)) cost = cost + size_of_operand(*element) * per_byte;
    return {target_size() * cost};
  }

  [[nodiscard]] CallEstimate replacing() const {
    const auto size = target_size();
    const auto old = argument_size(0);
    const auto by = argument_size(1);
    Range count;
    Range kept;
    if (old.min == 0) {
      count.max = size.max < UINT64_MAX ? size.max + 1 : size.max;
      kept.max = size.max;
    } else if (by.max <= old.min) {
      kept.max = size.max;
    } else {
      count.max = static_cast<std::uint64_t>(
          std::min(std::ceil(static_cast<double>(size.max) / static_cast<double>(old.min)), 1.8e19));
    }
    if (old.max == 0) {
      count.min = size.min < UINT64_MAX ? size.min + 1 : size.min;
      kept.min = size.min;
    } else if (old.max <= by.min) {
      kept.min = size.min;
    } else {
      count.min = static_cast<std::uint64_t>(std::ceil(static_cast<double>(size.min) / static_cast<double>(old.max)));
    }
    return {size * (2 * per_byte), count * by + kept};
  }

  [[nodiscard]] CallEstimate joining() const {
    Range size;
    const auto count = target_size();
    if (const auto element = element_of(*target_)) size = count * size_of_operand(*element);
    if (!arguments_.empty()) {
      const Range separators{count.min > 0 ? count.min - 1 : 0, count.max > 0 ? count.max - 1 : 0};
      size = size + argument_size(0) * separators;
    }
    return {size * per_byte, size};
  }

  // ---- addresses, quantities, formats

  [[nodiscard]] std::optional<CallEstimate> estimate_value() const {
    if (is("check")) return CallEstimate{Range::exactly(350'000)};
    if (is_one_of("fieldSelector", "labelSelector") && arguments_.size() == 1) {
      const auto requirements = argument_size(0) * 0.5;
      return CallEstimate{new_list + argument_size(0) * per_byte + requirements * 50.0};
    }
    if (is("ip") && target_ != nullptr) return CallEstimate{one};
    if (is_one_of("cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver") &&
        !arguments_.empty()) {
      return CallEstimate{argument_size(0) * per_byte};
    }
    if (is("ip.isCanonical")) return CallEstimate{argument_size(0) * (2 * per_byte)};
    if (is_one_of("containsIP", "containsCIDR")) return containing();
    if (is("validate") && target_ != nullptr && !arguments_.empty()) {
      return CallEstimate{(argument_size(0) * per_byte) * (longest_format_pattern * per_pattern_byte)};
    }
    return std::nullopt;
  }

  [[nodiscard]] CallEstimate containing() const {
    constexpr Range bytes{4, 16};
    auto cost = (bytes + bytes) * per_byte;
    if (is("containsCIDR")) cost = cost + bytes * per_byte + one;
    if (parameter(1).kind() == Kind::string) cost = cost + argument_size(0) * per_byte;
    return {cost};
  }

  // ---- the standard library

  [[nodiscard]] std::optional<CallEstimate> estimate_standard() const {
    if (is("format") && target_ != nullptr) return CallEstimate{target_size() * per_byte};
    if (is("bytes") && parameter(0).kind() == Kind::string) {
      const auto size = argument_size(0);
      return CallEstimate{size * per_byte, Range{size.min, (size * Range::exactly(4)).max}};
    }
    if (is("string") && parameter(0).kind() == Kind::bytes) {
      const auto size = argument_size(0);
      return CallEstimate{size * per_byte, Range{size.min / 4, size.max}};
    }
    if (is("strings.quote")) {
      const auto size = argument_size(0);
      const auto longest = size * Range::exactly(2) + Range::exactly(2);
      return CallEstimate{size * per_byte, Range{size.min + 2, longest.max}};
    }
    if (is_one_of("startsWith", "endsWith")) return CallEstimate{argument_size(0) * per_byte};
    if (is(op::in) && parameter(1).kind() == Kind::list) return CallEstimate{argument_size(1) * 1.0};
    if (is("matches") && target_ != nullptr) {
      return CallEstimate{((target_size() + one) * per_byte) * (argument_size(0) * per_pattern_byte)};
    }
    if (is("contains") && target_ != nullptr) {
      return CallEstimate{(target_size() * per_byte) * (argument_size(0) * per_byte)};
    }
    if (is(op::add) && (is_text_type(parameter(0)) || parameter(0).kind() == Kind::list)) {
      const auto size = argument_size(0) + argument_size(1);
      return CallEstimate{is_text_type(parameter(0)) ? size * per_byte : one, size};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<CallEstimate> estimate_comparison() const {
    const bool is_equality = is_one_of(op::equals, op::not_equals);
    const bool is_order = is_one_of("_<_", "_<=_", "_>_", "_>=_") && is_text_type(parameter(0));
    if (!is_equality && !is_order) return std::nullopt;
    const auto& type = arguments_[0].type;
    if (is(op::equals) && type.kind() == Kind::opaque && type == arguments_[1].type) return equality_of_opaque(type);
    const auto smallest = std::min(argument_size(0).max, argument_size(1).max);
    return CallEstimate{Range{smallest > 0 ? 1U : 0U, smallest} * per_byte};
  }

  [[nodiscard]] CallEstimate equality_of_opaque(const Type& type) const {
    if (type.name() == "kubernetes.NamedFormat") return {Range{1, longest_format_name} * per_byte};
    if (type.name() == "kubernetes.URL") return {Range{1, arguments_[1].size.value_or(one).max} * per_byte};
    return {one};
  }

  const std::string& function_;
  const Overload& overload_;
  const Operand* target_;
  std::span<const Operand> arguments_;
  const MaxSize& max_size_;
};

}  // namespace

std::optional<CallEstimate> estimate_call(const std::string& function, const Overload& overload, const Operand* target,
                                          std::span<const Operand> arguments, const MaxSize& max_size) {
  return CallEstimator(function, overload, target, arguments, max_size).run();
}

}  // namespace pintle::cel
