// SPDX-License-Identifier: Apache-2.0
// Small parts of the registry.
#include <algorithm>

#include <gtest/gtest.h>

#include "catalog.hpp"
#include "cells.hpp"
#include "fit.hpp"
#include "json_path.hpp"
#include "place.hpp"

namespace pintle::apiserver {
namespace {

using namespace std::chrono_literals;

TEST(HumanDuration, HasTheUnitsOfKubectl) {
  const std::pair<Duration, const char*> cases[] = {
      {0s, "0s"},          {-1s, "0s"},
      {-5s, "<invalid>"},  {119s, "119s"},
      {120s, "2m"},        {9min + 5s, "9m5s"},
      {10min + 5s, "10m"}, {179min, "179m"},
      {3h, "3h"},          {7h + 59min, "7h59m"},
      {8h + 1min, "8h"},   {47h, "47h"},
      {48h, "2d"},         {7 * 24h + 5h, "7d5h"},
      {8 * 24h, "8d"},     {729 * 24h, "729d"},
      {730 * 24h, "2y"},   {900 * 24h, "2y170d"},
      {3000 * 24h, "8y"},
  };
  for (const auto& [duration, text] : cases) EXPECT_EQ(human_duration(duration), text);
}

TEST(VersionOrder, IsThatOfKubernetes) {
  std::vector<std::string> versions{"foo1",      "v1alpha1", "v10",   "v2beta1", "v1",
                                    "v11alpha2", "v2",       "foo10", "v1beta1", "v0"};
  std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) { return is_preferred(a, b); });
  EXPECT_EQ(versions, (std::vector<std::string>{"v10", "v2", "v1", "v2beta1", "v1beta1", "v11alpha2", "v1alpha1",
                                                "foo1", "foo10", "v0"}));
}

std::string first(std::string_view path, std::string_view text) {
  const auto document = json::Document::parse(text).value();
  const auto parsed = JsonPath::parse(path);
  if (!parsed) return "error";
  const json::View found = parsed->first(document.root());
  return found ? found.print() : "missing";
}

TEST(JsonPath, FindsTheFirstPlace) {
  EXPECT_EQ(first(".spec.replicas", R"({"spec":{"replicas":3}})"), "3");
  EXPECT_EQ(first("{.spec.replicas}", R"({"spec":{"replicas":3}})"), "3");
  EXPECT_EQ(first(".spec.none", R"({"spec":{}})"), "missing");
  EXPECT_EQ(first(".a[1].b", R"({"a":[{"b":1},{"b":2}]})"), "2");
  EXPECT_EQ(first(".a[-1].b", R"({"a":[{"b":1},{"b":2}]})"), "2");
  EXPECT_EQ(first(".a[7]", R"({"a":[1]})"), "missing");
  EXPECT_EQ(first(".a[*].c", R"({"a":[{"b":1},{"c":2}]})"), "2");
  EXPECT_EQ(first(R"(.a['x/y'])", R"({"a":{"x/y":1}})"), "1");
  EXPECT_EQ(first(R"(.a.x\.y)", R"({"a":{"x.y":1}})"), "1");
  EXPECT_EQ(
      first(R"(.c[?(@.type=="Ready")].status)", R"({"c":[{"type":"A","status":"1"},{"type":"Ready","status":"2"}]})"),
      "\"2\"");
  EXPECT_EQ(first(R"(.c[?(@.type == 'Ready')].status)", R"({"c":[{"type":"Ready","status":"2"}]})"), "\"2\"");
}

TEST(JsonPath, RefusesInvalidPaths) {
  for (const char* path : {"spec", ".", "..a", ".a[", ".a[x]", ".a[?(@.b>1)]", ".a[?(@.b==1)]", ".a['x]"}) {
    EXPECT_EQ(first(path, "{}"), "error") << path;
  }
}

std::string fitted(std::string_view text, std::string_view schema) {
  json::Value value = json::parse(text).value();
  const auto document = json::Document::parse(schema).value();
  std::vector<std::string> unknown;
  const auto done = fit(value, document.root(), unknown);
  if (!done) return "refused " + std::to_string(done.error().code);
  std::string out = json::print(value);
  for (const std::string& place : unknown) out += " -" + place;
  return out;
}

TEST(Fit, DropsEmptyAndUnknownMembersAndRefusesWrongTypes) {
  const char* schema = R"({"type":"object","properties":{
    "s":{"type":"string"},"k":{"type":"string","x-pintle-keep":true},"m":{"type":"object","additionalProperties":{"type":"string"}},
    "o":{"type":"object","properties":{"a":{"type":"integer"}}},"l":{"type":"array","items":{"type":"string"}},
    "z":{"type":"integer","x-pintle-omit-zero":true},"i":{"type":"integer"},
    "any":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}})";
  EXPECT_EQ(fitted(R"({"s":"","k":"","m":{},"o":{},"l":[],"z":0,"i":0})", schema), R"({"k":"","o":{},"i":0})");
  EXPECT_EQ(fitted(R"({"s":null,"i":null,"o":{"a":null}})", schema), R"({"o":{}})");
  EXPECT_EQ(fitted(R"({"x":1,"o":{"y":2,"a":3},"any":{"q":{"r":null}}})", schema),
            R"({"o":{"a":3},"any":{"q":{"r":null}}} -x -o.y)");
  EXPECT_EQ(fitted(R"({"i":"1"})", schema), "refused 400");
  EXPECT_EQ(fitted(R"({"i":1.5})", schema), "refused 400");
  EXPECT_EQ(fitted(R"({"l":["a",1]})", schema), "refused 400");
  EXPECT_EQ(fitted(R"({"m":{"a":{}}})", schema), "refused 400");
}

TEST(Fit, ReportsUnknownMembersInPartIfTheyAreManyBelowALongName) {
  const auto schema = json::Document::parse(
      R"({"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"integer"}}}})");
  json::object members;
  for (int i = 0; i < 1'000; ++i) members["u" + std::to_string(i)] = i;
  members["a"] = 1;
  json::Value value{{std::string(100'000, 'x'), std::move(members)}};
  std::vector<std::string> unknown;
  ASSERT_TRUE(fit(value, schema->root(), unknown));
  EXPECT_EQ(unknown, std::vector<std::string>(100, std::string(1024, 'x') + "..."));
  EXPECT_EQ(json::print(value.get_object().begin()->value()), R"({"a":1})");
}

TEST(Place, IsPrintedUpToALimit) {
  const Place whole;
  const Place spec(whole, "spec");
  const Place list(spec, "containers");
  const Place item(list, 12);
  const Place name(item, "näme");
  EXPECT_EQ(name.print(), "spec.containers[12].näme");
  EXPECT_EQ(name.print(25), "spec.containers[12].näme") << "25 bytes";
  EXPECT_EQ(name.print(22), "spec.containers[12].n...") << "no part of a character";
  EXPECT_EQ(name.print(15), "spec.containers...");
  EXPECT_EQ(name.print(2), "sp...");
  EXPECT_EQ(whole.print(2), "");
}

TEST(Fit, NormalisesTimes) {
  const char* schema = R"({"type":"object","properties":{"t":{"type":"string","format":"date-time"},
      "m":{"type":"string","format":"micro-time"}}})";
  EXPECT_EQ(fitted(R"({"t":"2026-01-01T02:00:00.5+02:00","m":"2026-01-01T00:00:00Z"})", schema),
            R"({"t":"2026-01-01T00:00:00Z","m":"2026-01-01T00:00:00.000000Z"})");
  EXPECT_EQ(fitted(R"({"t":"yesterday"})", schema), "refused 400");
}

TEST(Fit, ChecksOnlyChangedMembers) {
  const auto schema = json::Document::parse(R"({"type":"object","properties":{
      "o":{"type":"object","x-pintle-fill":["b"],
           "properties":{"a":{"type":"integer"},"b":{"type":"integer","default":7}}},
      "l":{"type":"array","items":{"type":"string"}}}})");
  const json::Value before = json::parse(R"({"o":{"a":1,"b":2},"l":["x"],"y":1})").value();
  const auto refitted = [&](std::string_view text) {
    json::Value value = json::parse(text).value();
    std::vector<std::string> unknown;
    if (!fit(value, schema->root(), unknown, &before)) return std::string("refused");
    fill(value, schema->root(), &before);
    return json::print(value) + std::to_string(unknown.size());
  };
  EXPECT_EQ(refitted(R"({"o":{"a":1,"b":2},"l":["x"],"y":1})"), R"({"o":{"a":1,"b":2},"l":["x"],"y":1}0)");
  EXPECT_EQ(refitted(R"({"o":{"a":1},"l":["x",""],"y":2})"), R"({"o":{"a":1,"b":7},"l":["x",""]}1)");
  EXPECT_EQ(refitted(R"({"o":{"a":1,"b":2},"l":[1]})"), "refused");
  EXPECT_EQ(refitted(R"({"o":{"a":"1","b":2}})"), "refused");
}

TEST(Fit, OrdersTheMembersOfMetadata) {
  json::Value object = json::parse(R"({"metadata":{"labels":{"a":"1"},"selfLink":"x","name":"n","extra":1}})").value();
  std::vector<std::string> unknown;
  ASSERT_TRUE(fit_metadata(object, unknown));
  EXPECT_EQ(json::print(object), R"({"metadata":{"name":"n","labels":{"a":"1"}}})");
  EXPECT_EQ(unknown, std::vector<std::string>{"metadata.extra"});
}

}  // namespace
}  // namespace pintle::apiserver
