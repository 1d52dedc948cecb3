// SPDX-License-Identifier: Apache-2.0
#include "otlp_json.hpp"

#include <cmath>
#include <utility>

#include <pintle/base/utf8.hpp>
#include <pintle/json/value.hpp>

// The JSON mapping of Protobuf with the exceptions of OTLP ("JSON Protobuf Encoding"): ids are hexadecimal and
// enumerators are numbers. As always in that mapping, 64-bit integers are strings.
namespace pintle {
namespace {

std::string number(std::integral auto value) { return std::to_string(value); }
std::string number(WallTime time) { return number(time.time_since_epoch().count()); }

json::object any_value(const LogValue& value) {
  if (const std::string* text = value.as_string()) return {{"stringValue", sanitize_utf8(*text)}};
  if (const std::int64_t* integer = value.as_integer()) return {{"intValue", number(*integer)}};
  if (const bool* flag = value.as_bool()) return {{"boolValue", *flag}};
  const double real = *value.as_double();
  if (std::isnan(real)) return {{"doubleValue", "NaN"}};
  if (std::isinf(real)) return {{"doubleValue", real > 0 ? "Infinity" : "-Infinity"}};
  return {{"doubleValue", real}};
}

json::array key_values(const std::vector<SpanAttribute>& attributes) {
  json::array list;
  for (const SpanAttribute& attribute : attributes) {
    list.push_back(json::object{{"key", sanitize_utf8(attribute.name)}, {"value", any_value(attribute.value)}});
  }
  return list;
}

int number_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::internal: return 1;
    case SpanKind::server: return 2;
    case SpanKind::client: return 3;
  }
  return 0;
}

json::array events_of(const FinishedSpan& span) {
  json::array list;
  for (const SpanEvent& event : span.events) {
    json::object made{{"timeUnixNano", number(event.at)},
                      {"name", sanitize_utf8(event.name)},
                      {"attributes", key_values(event.attributes)}};
    if (event.dropped_attributes != 0) made["droppedAttributesCount"] = event.dropped_attributes;
    list.push_back(std::move(made));
  }
  return list;
}

json::object object_of(const FinishedSpan& span) {
  constexpr int is_error = 2;
  json::object made{{"traceId", span.context.trace_id_text()}, {"spanId", span.context.span_id_text()}};
  if (span.start.parent.is_valid()) made["parentSpanId"] = span.start.parent.span_id_text();
  made["name"] = sanitize_utf8(span.start.name);
  made["kind"] = number_of(span.start.kind);
  made["startTimeUnixNano"] = number(span.begun);
  made["endTimeUnixNano"] = number(span.ended);
  made["attributes"] = key_values(span.start.attributes);
  if (span.dropped_attributes != 0) made["droppedAttributesCount"] = span.dropped_attributes;
  if (!span.events.empty()) made["events"] = events_of(span);
  if (span.dropped_events != 0) made["droppedEventsCount"] = span.dropped_events;
  if (span.error) made["status"] = json::object{{"code", is_error}, {"message", sanitize_utf8(*span.error)}};
  return made;
}

}  // namespace

std::string print_otlp(const std::vector<SpanAttribute>& resource, const std::vector<FinishedSpan>& spans) {
  json::array list;
  for (const FinishedSpan& span : spans) list.push_back(object_of(span));
  json::object scope{{"scope", json::object{{"name", "pintle"}}}, {"spans", std::move(list)}};
  json::object of_resource{{"resource", json::object{{"attributes", key_values(resource)}}},
                           {"scopeSpans", json::array{std::move(scope)}}};
  return json::print(json::object{{"resourceSpans", json::array{std::move(of_resource)}}});
}

}  // namespace pintle
