// SPDX-License-Identifier: Apache-2.0
#include "otlp_json.hpp"

#include <limits>

#include <gtest/gtest.h>

#include <pintle/json/document.hpp>

namespace pintle {
namespace {

constexpr WallTime at(std::int64_t nanoseconds) { return WallTime(Duration(nanoseconds)); }

FinishedSpan span() {
  FinishedSpan made{.context = SpanContext::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").value(),
                    .start = {.name = "GET /api", .kind = SpanKind::client}};
  made.begun = at(1544712660000000001);
  made.ended = at(1544712661000000002);
  return made;
}

json::Document printed(const FinishedSpan& one) {
  auto document = json::Document::parse(print_otlp({{"service.name", "op"}}, {one}));
  EXPECT_TRUE(document) << document.error().to_string();
  return document.value();
}

constexpr const char* first = "/resourceSpans/0/scopeSpans/0/spans/0";

TEST(OtlpJson, ContainsTheResourceOnce) {
  const auto document = json::Document::parse(print_otlp({{"service.name", "op"}}, {span(), span()}));
  ASSERT_TRUE(document);

  const json::View root = document->root();
  EXPECT_EQ(root["/resourceSpans"].size(), 1U);
  EXPECT_EQ(root["/resourceSpans/0/resource/attributes"].print(),
            R"([{"key":"service.name","value":{"stringValue":"op"}}])");
  EXPECT_EQ(root["/resourceSpans/0/scopeSpans"].size(), 1U);
  EXPECT_EQ(root["/resourceSpans/0/scopeSpans/0/scope/name"], "pintle");
  EXPECT_EQ(root["/resourceSpans/0/scopeSpans/0/spans"].size(), 2U);
}

TEST(OtlpJson, WritesIdsInHexadecimalEnumeratorsAsNumbersAndTimesAsText) {
  FinishedSpan one = span();
  one.start.parent = SpanContext::parse("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01").value();

  const json::Document document = printed(one);
  const json::View made = document.root()[first];

  EXPECT_EQ(made["/traceId"], "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(made["/spanId"], "b7ad6b7169203331");
  EXPECT_EQ(made["/parentSpanId"], "00f067aa0ba902b7");
  EXPECT_EQ(made["/name"], "GET /api");
  EXPECT_EQ(made["/kind"], 3);
  EXPECT_EQ(made["/startTimeUnixNano"], "1544712660000000001");
  EXPECT_EQ(made["/endTimeUnixNano"], "1544712661000000002");
}

TEST(OtlpJson, LeavesOutMissingParts) {
  const json::Document document = printed(span());

  for (const char* name : {"parentSpanId", "events", "status", "droppedAttributesCount", "droppedEventsCount"}) {
    EXPECT_FALSE(document.root()[first].member(name)) << name;
  }
}

TEST(OtlpJson, WritesEveryKind) {
  FinishedSpan one = span();
  for (const auto& [kind, number] : {std::pair{SpanKind::internal, 1}, {SpanKind::server, 2}, {SpanKind::client, 3}}) {
    one.start.kind = kind;
    const json::Document document = printed(one);
    EXPECT_EQ(document.root()[first]["/kind"], number);
  }
}

TEST(OtlpJson, WritesEachTypeOfAttributeInItsOwnMember) {
  FinishedSpan one = span();
  one.start.attributes = {{"text", "a"},
                          {"integer", std::numeric_limits<std::int64_t>::min()},
                          {"real", 0.5},
                          {"flag", true},
                          {"none", std::numeric_limits<double>::quiet_NaN()},
                          {"endless", -std::numeric_limits<double>::infinity()}};
  one.dropped_attributes = 3;

  const json::Document document = printed(one);
  const json::View attributes = document.root()[first]["/attributes"];

  EXPECT_EQ(attributes["/0"].print(), R"({"key":"text","value":{"stringValue":"a"}})");
  EXPECT_EQ(attributes["/1"].print(), R"({"key":"integer","value":{"intValue":"-9223372036854775808"}})");
  EXPECT_EQ(attributes["/2"].print(), R"({"key":"real","value":{"doubleValue":0.5}})");
  EXPECT_EQ(attributes["/3"].print(), R"({"key":"flag","value":{"boolValue":true}})");
  EXPECT_EQ(attributes["/4"].print(), R"({"key":"none","value":{"doubleValue":"NaN"}})");
  EXPECT_EQ(attributes["/5"].print(), R"({"key":"endless","value":{"doubleValue":"-Infinity"}})");
  EXPECT_EQ(document.root()[first]["/droppedAttributesCount"], 3);
}

TEST(OtlpJson, WritesEventsAndTheError) {
  FinishedSpan one = span();
  one.events.push_back(
      {.name = "looked", .at = at(1544712660500000000), .attributes = {{"n", 2}}, .dropped_attributes = 1});
  one.dropped_events = 4;
  one.error = "it is so";

  const json::Document document = printed(one);
  const json::View made = document.root()[first];

  EXPECT_EQ(made["/events/0/name"], "looked");
  EXPECT_EQ(made["/events/0/timeUnixNano"], "1544712660500000000");
  EXPECT_EQ(made["/events/0/attributes/0/value/intValue"], "2");
  EXPECT_EQ(made["/events/0/droppedAttributesCount"], 1);
  EXPECT_EQ(made["/droppedEventsCount"], 4);
  EXPECT_EQ(made["/status/code"], 2);
  EXPECT_EQ(made["/status/message"], "it is so");
}

// A collector would refuse the whole request because of one text that is not UTF-8.
TEST(OtlpJson, ReplacesInvalidUtf8) {
  FinishedSpan one = span();
  one.start.attributes = {{"a", "\xff"}};
  one.error = "b\xfe";

  const json::Document document = printed(one);

  EXPECT_EQ(document.root()[first]["/attributes/0/value/stringValue"], "\uFFFD");
  EXPECT_EQ(document.root()[first]["/status/message"], "b\uFFFD");
}

}  // namespace
}  // namespace pintle
