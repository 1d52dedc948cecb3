// SPDX-License-Identifier: Apache-2.0
// The named formats of Kubernetes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <re2/re2.h>

#include <pintle/base/result.hpp>
#include <pintle/base/text.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/library/cost.hpp"
#include "cel/library/declare.hpp"
#include "cel/value/text.hpp"
#include "cel/value/time_text.hpp"
#include "libraries.hpp"
#include "url.hpp"

namespace pintle::cel {
namespace {

using Complaints = std::vector<std::string>;

constexpr std::size_t longest_label = 63;
constexpr std::size_t longest_subdomain = 253;

constexpr const char* label_pattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr const char* subdomain_pattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
constexpr const char* old_label_pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";
constexpr const char* qualified_name_pattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr const char* label_value_pattern = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
constexpr const char* uuid_pattern = "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}";
constexpr const char* clock_pattern = "([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))";

bool fits_pattern(std::string_view text, const RE2& pattern) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

std::string too_long(std::size_t limit) { return "must be no more than " + std::to_string(limit) + " characters"; }

std::string pattern_complaint(const std::string& what, const std::string& pattern,
                              const std::vector<const char*>& examples) {
  std::string out = what + " (e.g. ";
  for (std::size_t i = 0; i < examples.size(); ++i) {
    out += std::string(i == 0 ? "" : " or ") + "'" + examples[i] + "', ";
  }
  return out + "regex used for validation is '" + pattern + "')";
}

Complaints check_subdomain(std::string_view text) {
  static const RE2 pattern(subdomain_pattern);
  Complaints out;
  if (text.size() > longest_subdomain) out.push_back(too_long(longest_subdomain));
  if (!fits_pattern(text, pattern)) {
    out.push_back(
        pattern_complaint("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "
                          "'-' or '.', and must start and end with an alphanumeric character",
                          subdomain_pattern, {"example.com"}));
  }
  return out;
}

Complaints check_label(std::string_view text) {
  static const RE2 pattern(label_pattern);
  static const RE2 with_dots(subdomain_pattern);
  Complaints out;
  if (text.size() > longest_label) out.push_back(too_long(longest_label));
  if (fits_pattern(text, pattern)) return out;
  if (fits_pattern(text, with_dots)) {
    out.emplace_back("must not contain dots");
  } else {
    out.push_back(
        pattern_complaint("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or "
                          "'-', and must start and end with an alphanumeric character",
                          label_pattern, {"my-name", "123-abc"}));
  }
  return out;
}

Complaints check_old_label(std::string_view text) {
  static const RE2 pattern(old_label_pattern);
  Complaints out;
  if (text.size() > longest_label) out.push_back(too_long(longest_label));
  if (!fits_pattern(text, pattern)) {
    out.push_back(
        pattern_complaint("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start "
                          "with an alphabetic character, and end with an alphanumeric character",
                          old_label_pattern, {"my-name", "abc-123"}));
  }
  return out;
}

const std::string& qualified_name_complaint() {
  static const std::string text = pattern_complaint(
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character",
      qualified_name_pattern, {"MyName", "my.name", "123-abc"});
  return text;
}

Complaints check_qualified_name(std::string_view text) {
  static const RE2 pattern(qualified_name_pattern);
  Complaints out;
  const auto slash = text.find('/');
  if (slash != std::string_view::npos && text.find('/', slash + 1) != std::string_view::npos) {
    out.push_back("a qualified name " + qualified_name_complaint() +
                  " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    return out;
  }
  if (slash == 0) {
    out.emplace_back("prefix part must be non-empty");
  } else if (slash != std::string_view::npos) {
    for (const auto& complaint : check_subdomain(text.substr(0, slash))) out.push_back("prefix part " + complaint);
  }
  const auto name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (name.empty()) {
    out.emplace_back("name part must be non-empty");
  } else if (name.size() > longest_label) {
    out.push_back("name part " + too_long(longest_label));
  }
  if (!fits_pattern(name, pattern)) out.push_back("name part " + qualified_name_complaint());
  return out;
}

Complaints check_label_value(std::string_view text) {
  static const RE2 pattern(label_value_pattern);
  Complaints out;
  if (text.size() > longest_label) out.push_back(too_long(longest_label));
  if (!fits_pattern(text, pattern)) {
    out.push_back(
        pattern_complaint("a valid label must be an empty string or consist of alphanumeric characters, '-', "
                          "'_' or '.', and must start and end with an alphanumeric character",
                          label_value_pattern, {"MyValue", "my_value", "12345"}));
  }
  return out;
}

// A prefix of a generated name may end with a dash.
template <Complaints (*Check)(std::string_view)>
Complaints check_prefix(std::string_view text) {
  if (text.size() <= 1 || !text.ends_with('-')) return Check(text);
  return Check(std::string(text.substr(0, text.size() - 2)) + "a");
}

Complaints check_uri(std::string_view text) {
  const auto checked = check_request_url(text);
  return checked ? Complaints{} : Complaints{checked.error().message};
}

Complaints complain_unless(bool is_valid, const char* why) { return is_valid ? Complaints{} : Complaints{why}; }

Complaints check_uuid(std::string_view text) {
  static const RE2 pattern(uuid_pattern);
  return complain_unless(fits_pattern(text, pattern), "does not match the UUID format");
}

Complaints check_byte(std::string_view text) {
  return complain_unless(!text.empty() && decode_base64(text).has_value(), "invalid base64");
}

bool is_date(std::string_view text) {
  constexpr std::size_t size = 10;
  return text.size() == size && parse_timestamp(std::string(text) + "T00:00:00Z").has_value();
}

Complaints check_date(std::string_view text) { return complain_unless(is_date(text), "invalid date"); }

bool is_date_and_time(std::string_view text) {
  static const RE2 pattern(clock_pattern);
  const auto lower = to_lower_ascii(text);
  const auto middle = lower.find('t');
  if (middle == std::string::npos || !is_date(lower.substr(0, middle))) return false;
  std::string hours;
  std::string minutes;
  std::string seconds;
  return RE2::FullMatch(lower.substr(middle + 1), pattern, &hours, &minutes, &seconds) && hours <= "23" &&
         minutes <= "59" && seconds <= "59";
}

Complaints check_date_and_time(std::string_view text) {
  return complain_unless(is_date_and_time(text), "invalid datetime");
}

struct NamedFormat {
  const char* name;
  Complaints (*check)(std::string_view text);
  std::uint64_t pattern_size;  // of the regular expression that Kubernetes assumes for the cost
};

constexpr std::array<NamedFormat, 13> formats = {{
    {"dns1123Label", check_label, 30},
    {"dns1123Subdomain", check_subdomain, 60},
    {"dns1035Label", check_old_label, 30},
    {"qualifiedName", check_qualified_name, 60},
    {"dns1123LabelPrefix", check_prefix<check_label>, 30},
    {"dns1123SubdomainPrefix", check_prefix<check_subdomain>, 60},
    {"dns1035LabelPrefix", check_prefix<check_old_label>, 30},
    {"labelValue", check_label_value, 40},
    {"uri", check_uri, 1103},
    {"uuid", check_uuid, 76},
    {"byte", check_byte, 84},
    {"date", check_date, 83},
    {"datetime", check_date_and_time, 83},
}};

Type format_type() { return Type::opaque("kubernetes.NamedFormat"); }

class FormatValue final : public Opaque {
 public:
  explicit FormatValue(const NamedFormat& format) noexcept : format(format) {}
  [[nodiscard]] Type type() const override { return format_type(); }
  [[nodiscard]] bool equals(const Opaque& other) const override {
    return &format == &dynamic_cast<const FormatValue&>(other).format;
  }

  const NamedFormat& format;
};

const NamedFormat& format_of(const Value& value) { return value.as_opaque<FormatValue>()->format; }

Value format_value(const NamedFormat& format) { return Value::opaque(std::make_shared<FormatValue>(format)); }

Result<Value> named_format(Arguments arguments) {
  const auto found = std::ranges::find(formats, *arguments[0].as_string(),
                                       [](const NamedFormat& format) { return std::string_view(format.name); });
  return found == formats.end() ? Value::none() : Value::some(format_value(*found));
}

Result<Value> validate(Arguments arguments) {
  std::vector<Value> complaints;
  for (auto& complaint : format_of(arguments[0]).check(*arguments[1].as_string())) {
    complaints.push_back(Value::string(std::move(complaint)));
  }
  return complaints.empty() ? Value::none() : Value::some(Value::list(std::move(complaints)));
}

std::uint64_t cost_of_validation(Arguments arguments, const Value& /*result*/) {
  return cost_of_traversal(1 + size_of(arguments[1])) * ((format_of(arguments[0]).pattern_size + 3) / 4);
}

}  // namespace

Library format_library() {
  const auto string = Type::string();
  Library library{.functions = {{"format.named", {global({string}, Type::optional(format_type()), named_format)}},
                                {"validate",
                                 {member({format_type(), string}, Type::optional(Type::list(string)), validate,
                                         cost_of_validation)}}}};
  for (const auto& format : formats) {
    library.functions.push_back(
        {std::string("format.") + format.name,
         {global({}, format_type(), [&format](Arguments) -> Result<Value> { return format_value(format); })}});
  }
  return library;
}

}  // namespace pintle::cel
