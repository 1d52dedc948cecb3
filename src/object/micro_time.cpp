// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/micro_time.hpp>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/value_type.hpp>

namespace pintle {

Result<MicroTime> MicroTime::from_json(json::View value) {
  const auto text = value.as_string();
  if (!text) return fail(ErrorCode::invalid, internal::expected("a string", value));
  auto time = parse_time(*text);
  if (!time) return fail(std::move(time.error()));
  return MicroTime(*time);
}

json::Value MicroTime::to_json() const { return json::Value(format_micro_time(time)); }

json::object MicroTime::json_schema() { return {{"type", "string"}, {"format", "date-time"}}; }

}  // namespace pintle
