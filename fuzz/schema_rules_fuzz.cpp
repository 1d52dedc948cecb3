// SPDX-License-Identifier: Apache-2.0
// The first line is a schema, the second one an object and the third one its previous state. The rules of an accepted
// schema compile or are refused with a cause, and their evaluation ends with the same causes each time.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/object/schema/structural.hpp>

#include "apiserver/expressions/schema_rules.hpp"

namespace {

std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string evaluate(const pintle::apiserver::SchemaRules& rules, pintle::json::View object, pintle::json::View old) {
  std::vector<pintle::StatusCause> causes;
  std::vector<std::string> warnings;
  rules.validate(object, old, causes, warnings);
  auto out = pintle::describe(causes);
  for (const auto& warning : warnings) out += "\n" + warning;
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto openapi = pintle::json::Document::parse(take_line(text));
  const auto object = pintle::json::Document::parse(take_line(text));
  const auto old = pintle::json::Document::parse(take_line(text));
  if (!openapi) return 0;
  const auto schema = pintle::StructuralSchema::parse(openapi->root());
  if (!schema) return 0;
  std::vector<pintle::StatusCause> causes;
  pintle::apiserver::check_schema_rules(*schema, "schema", true, causes);
  for (const auto& cause : causes) {
    if (cause.field.empty() || cause.message.empty()) std::abort();
  }
  const auto rules = pintle::apiserver::SchemaRules::compile(*schema);
  if (rules == nullptr || !object) return 0;
  const auto before = old ? old->root() : pintle::json::View();
  // As the server, which evaluates the rules of valid objects only.
  if (!schema->validate(object->root()).empty() || (old && !schema->validate(before).empty())) return 0;
  if (evaluate(*rules, object->root(), before) != evaluate(*rules, object->root(), before)) std::abort();
  return 0;
}
