// SPDX-License-Identifier: Apache-2.0
// Semantic versions.
#include <algorithm>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/library/cost.hpp"
#include "cel/library/declare.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

// A part of a pre-release: numbers come before texts.
struct ReleasePart {
  bool is_text = false;
  std::uint64_t number = 0;
  std::string text{};

  friend auto operator<=>(const ReleasePart&, const ReleasePart&) = default;
};

struct SemanticVersion {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::vector<ReleasePart> release{};  // empty: a final release, which comes last
};

std::strong_ordering compare_versions(const SemanticVersion& a, const SemanticVersion& b) {
  if (a.major != b.major) return a.major <=> b.major;
  if (a.minor != b.minor) return a.minor <=> b.minor;
  if (a.patch != b.patch) return a.patch <=> b.patch;
  if (a.release.empty() || b.release.empty()) return a.release.empty() <=> b.release.empty();
  return a.release <=> b.release;
}

bool is_number_text(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }
bool has_leading_zero(std::string_view text) { return text.size() > 1 && text.front() == '0'; }
bool is_identifier_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

Result<std::uint64_t> version_number(std::string_view text, std::string_view name, std::string_view title) {
  if (!is_number_text(text)) return failure(fmt::format("Invalid character(s) found in {} number \"{}\"", name, text));
  if (has_leading_zero(text))
    return failure(fmt::format("{} number must not contain leading zeroes \"{}\"", title, text));
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return failure(fmt::format("strconv.ParseUint: parsing \"{}\": {}", text,
                               text.empty() ? "invalid syntax" : "value out of range"));
  }
  return number;
}

std::vector<std::string_view> split_dots(std::string_view text, std::size_t limit) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < limit) {
    const auto dot = text.find('.');
    if (dot == std::string_view::npos) break;
    parts.push_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  parts.push_back(text);
  return parts;
}

Result<ReleasePart> release_part(std::string_view text) {
  if (text.empty()) return failure("Prerelease is empty");
  if (is_number_text(text)) {
    if (has_leading_zero(text)) {
      return failure(fmt::format("Numeric PreRelease version must not contain leading zeroes \"{}\"", text));
    }
    auto number = version_number(text, "prerelease", "Prerelease");
    return number ? Result<ReleasePart>(ReleasePart{.number = *number}) : fail(std::move(number.error()));
  }
  if (!is_identifier_text(text)) return failure(fmt::format("Invalid character(s) found in prerelease \"{}\"", text));
  return ReleasePart{.is_text = true, .text = std::string(text)};
}

Result<void> check_build(std::string_view text) {
  for (const auto part : split_dots(text, std::string_view::npos)) {
    if (part.empty()) return failure("Build meta data is empty");
    if (!is_identifier_text(part)) {
      return failure(fmt::format("Invalid character(s) found in build meta data \"{}\"", part));
    }
  }
  return {};
}

Result<void> read_numbers(const std::vector<std::string_view>& parts, std::string_view patch, SemanticVersion& out) {
  auto major = version_number(parts[0], "major", "Major");
  if (!major) return fail(std::move(major.error()));
  auto minor = version_number(parts[1], "minor", "Minor");
  if (!minor) return fail(std::move(minor.error()));
  auto last = version_number(patch, "patch", "Patch");
  if (!last) return fail(std::move(last.error()));
  out.major = *major;
  out.minor = *minor;
  out.patch = *last;
  return {};
}

Result<SemanticVersion> parse_version(std::string_view text) {
  if (text.empty()) return failure("Version string empty");
  const auto parts = split_dots(text, 3);
  if (parts.size() != 3) return failure("No Major.Minor.Patch elements found");
  auto patch = parts[2];
  std::optional<std::string_view> build;
  std::optional<std::string_view> release;
  if (const auto plus = patch.find('+'); plus != std::string_view::npos) {
    build = patch.substr(plus + 1);
    patch = patch.substr(0, plus);
  }
  if (const auto dash = patch.find('-'); dash != std::string_view::npos) {
    release = patch.substr(dash + 1);
    patch = patch.substr(0, dash);
  }
  SemanticVersion version;
  if (auto read = read_numbers(parts, patch, version); !read) return fail(std::move(read.error()));
  if (release) {
    for (const auto each : split_dots(*release, std::string_view::npos)) {
      auto part = release_part(each);
      if (!part) return fail(std::move(part.error()));
      version.release.push_back(*std::move(part));
    }
  }
  if (build) {
    if (auto checked = check_build(*build); !checked) return fail(std::move(checked.error()));
  }
  return version;
}

std::string without_leading_zeros(std::string_view part) {
  if (part.size() <= 1) return std::string(part);
  part.remove_prefix(std::min(part.find_first_not_of('0'), part.size()));
  const bool has_digit = !part.empty() && part.front() >= '0' && part.front() <= '9';
  return (has_digit ? "" : "0") + std::string(part);
}

// Removes a "v" and leading zeros, and adds a missing minor version and patch.
Result<SemanticVersion> parse_normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const auto parts = split_dots(text, 3);
  std::string complete;
  for (std::size_t i = 0; i < parts.size(); ++i) complete += (i == 0 ? "" : ".") + without_leading_zeros(parts[i]);
  if (parts.size() < 3 && complete.substr(complete.rfind('.') + 1).find_first_of("+-") != std::string::npos) {
    return failure("short version cannot contain PreRelease/Build meta data");
  }
  for (auto count = parts.size(); count < 3; ++count) complete += ".0";
  return parse_version(complete);
}

Type semver_type() { return Type::opaque("kubernetes.Semver"); }

class VersionValue final : public Opaque {
 public:
  explicit VersionValue(SemanticVersion version) noexcept : version(std::move(version)) {}
  [[nodiscard]] Type type() const override { return semver_type(); }
  [[nodiscard]] bool equals(const Opaque& other) const override {
    return compare_versions(version, dynamic_cast<const VersionValue&>(other).version) == 0;
  }

  const SemanticVersion version;
};

const SemanticVersion& version_of(const Value& value) { return value.as_opaque<VersionValue>()->version; }

Result<SemanticVersion> read_version(Arguments arguments) {
  const bool normalizes = arguments.size() == 2 && *arguments[1].as_bool();
  return normalizes ? parse_normalized(*arguments[0].as_string()) : parse_version(*arguments[0].as_string());
}

Result<Value> to_semver(Arguments arguments) {
  auto version = read_version(arguments);
  if (!version) return fail(std::move(version.error()));
  return Value::opaque(std::make_shared<VersionValue>(*std::move(version)));
}
Result<Value> is_semver(Arguments arguments) { return Value::boolean(read_version(arguments).has_value()); }

int version_order(Arguments arguments) {
  const auto order = compare_versions(version_of(arguments[0]), version_of(arguments[1]));
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}
Result<Value> is_greater_version(Arguments arguments) { return Value::boolean(version_order(arguments) > 0); }
Result<Value> is_less_version(Arguments arguments) { return Value::boolean(version_order(arguments) < 0); }
Result<Value> compare_two_versions(Arguments arguments) { return Value::integer(version_order(arguments)); }

FunctionDeclaration version_part(std::string name, std::uint64_t SemanticVersion::*part) {
  return {std::move(name), {member({semver_type()}, Type::integer(), [part](Arguments arguments) -> Result<Value> {
            return Value::integer(static_cast<std::int64_t>(version_of(arguments[0]).*part));
          })}};
}

}  // namespace

Library semver_library() {
  const auto semver = semver_type();
  const auto string = Type::string();
  const auto boolean = Type::boolean();
  return {.functions = {{"semver",
                         {global({string}, semver, to_semver, cost_of_first),
                          global({string, boolean}, semver, to_semver, cost_of_first)}},
                        {"isSemver",
                         {global({string}, boolean, is_semver, cost_of_first),
                          global({string, boolean}, boolean, is_semver, cost_of_first)}},
                        {"isGreaterThan", {member({semver, semver}, boolean, is_greater_version)}},
                        {"isLessThan", {member({semver, semver}, boolean, is_less_version)}},
                        {"compareTo", {member({semver, semver}, Type::integer(), compare_two_versions)}},
                        version_part("major", &SemanticVersion::major),
                        version_part("minor", &SemanticVersion::minor),
                        version_part("patch", &SemanticVersion::patch)}};
}

}  // namespace pintle::cel
