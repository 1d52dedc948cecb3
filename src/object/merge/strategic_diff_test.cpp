// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/object/merge/strategic.hpp>

namespace pintle {
namespace {

// One list of each kind, a member with `retainKeys`, and an item that contains another list.
const json::Document& diff_schema() {
  static const json::Document schema = json::Document::parse(R"({"properties": {
    "named": {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name", "items": {"properties": {
      "ports": {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "port"}}}},
    "volumes": {"x-kubernetes-patch-strategy": "merge,retainKeys", "x-kubernetes-patch-merge-key": "name"},
    "words": {"x-kubernetes-patch-strategy": "merge"},
    "strategy": {"x-kubernetes-patch-strategy": "retainKeys"},
    "args": {"type": "array"}}})")
                                           .value();
  return schema;
}

std::string diff_of(std::string_view from, std::string_view to) {
  const auto patch = create_strategic_patch(json::parse(from).value(), json::parse(to).value(), diff_schema().root());
  return patch ? json::print(*patch) : patch.error().message;
}

TEST(StrategicDiff, ContainsOnlyChanges) {
  struct Case {
    const char* from;
    const char* to;
    const char* patch;
  };
  const Case each[] = {
      {R"({"a":1,"b":{"c":1}})", R"({"b":{"c":1},"a":1})", "{}"},
      {R"({"a":1,"b":{"c":1,"d":1}})", R"({"b":{"c":2}})", R"({"a":null,"b":{"d":null,"c":2}})"},
      {R"({"args":[1,2]})", R"({"args":[2]})", R"({"args":[2]})"},
      {R"({"named":[{"name":"a","x":1},{"name":"b"},{"name":"c"}]})", R"({"named":[{"name":"c"},{"name":"a","x":2}]})",
       R"({"$setElementOrder/named":[{"name":"c"},{"name":"a"}],)"
       R"("named":[{"x":2,"name":"a"},{"$patch":"delete","name":"b"}]})"},
      {R"({"words":["a","b"]})", R"({"words":["c","a"]})",
       R"({"$deleteFromPrimitiveList/words":["b"],"$setElementOrder/words":["c","a"],"words":["c"]})"},
      {R"({"strategy":{"type":"R","rolling":{}}})", R"({"strategy":{"type":"C"}})",
       R"({"strategy":{"rolling":null,"type":"C","$retainKeys":["type"]}})"},
      {R"({"volumes":[{"name":"a","empty":{}}]})", R"({"volumes":[{"name":"a","host":{}}]})",
       R"({"$setElementOrder/volumes":[{"name":"a"}],)"
       R"("volumes":[{"empty":null,"host":{},"name":"a","$retainKeys":["name","host"]}]})"},
      {R"({"named":[{"name":"a"}]})", R"({"named":[{"name":"a"},{"name":"a","x":1}]})",
       R"({"named":[{"$patch":"replace"},{"name":"a"},{"name":"a","x":1}]})"},
  };
  for (const Case& one : each) EXPECT_EQ(diff_of(one.from, one.to), one.patch) << one.from << " to " << one.to;
}

TEST(StrategicDiff, RefusesInexpressibleChanges) {
  EXPECT_EQ(diff_of("{}", R"({"a":{"b":null}})"),
            "a strategic merge patch cannot set .a.b: it is null, which means removal in a patch");
  EXPECT_EQ(diff_of("{}", R"({"a":{"$b":1}})"),
            "a strategic merge patch cannot set .a.$b: it begins with \"$\", which marks a directive");
  const std::string repeated =
      "a strategic merge patch cannot set .words: it has two equal items before or after the change, which is not "
      "allowed in a merged list";
  EXPECT_EQ(diff_of("{}", R"({"words":["a","a"]})"), repeated);
  EXPECT_EQ(diff_of(R"({"words":["a","a"]})", R"({"words":["a"]})"), repeated);
  EXPECT_EQ(diff_of("{}", "[]"), "a strategic merge patch can only be created from two objects");
}

// Draws random objects that fit the schema, and sometimes lists that no merge can produce.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  json::Value object() {
    json::object out;
    for (const char* name : {"a", "b"}) {
      if (is_heads()) out[name] = scalar();
    }
    if (is_heads()) out["strategy"] = members();
    if (is_heads()) out["named"] = keyed("name", true);
    if (is_heads()) out["volumes"] = keyed("name", false);
    if (is_heads()) out["words"] = words();
    if (is_heads()) out["args"] = json::array{scalar(), scalar()};
    return out;
  }

 private:
  bool is_heads() { return random_.below(2) == 0; }
  json::Value scalar() { return random_.below(3); }

  json::Value members() {
    json::object out;
    for (const char* name : {"x", "y", "z"}) {
      if (is_heads()) out[name] = scalar();
    }
    return out;
  }
  // The items are in random order. One item in twenty has a duplicate key, and one has no key.
  json::Value keyed(const char* key, bool with_ports) {
    json::array out;
    for (std::uint64_t i = random_.below(4), left = random_.below(4); left > 0; --left, ++i) {
      json::Value item = members();
      item.as_object()[key] = random_.below(20) == 0 ? 0 : i % 4;
      if (random_.below(20) == 0) item.as_object().erase(key);
      if (with_ports && is_heads()) item.as_object()["ports"] = keyed("port", false);
      out.insert(out.begin() + static_cast<std::ptrdiff_t>(random_.below(out.size() + 1)), std::move(item));
    }
    return out;
  }
  json::Value words() {
    json::array out;
    for (std::uint64_t word = 0; word < 4; ++word) {
      if (is_heads()) out.insert(is_heads() ? out.begin() : out.end(), word);
    }
    return out;
  }

  Random random_;
};

TEST(StrategicDiff, AppliedGivesTheDesiredObject) {
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    Draw draw(seed);
    json::Value object = draw.object();
    const json::Value wanted = draw.object();
    const std::string before = json::print(object);
    const auto patch = create_strategic_patch(object, wanted, diff_schema().root());
    ASSERT_TRUE(patch) << patch.error().message << ", seed " << seed;
    const auto applied = apply_strategic_patch(object, *patch, diff_schema().root());
    ASSERT_TRUE(applied) << applied.error().message << ", seed " << seed;
    ASSERT_EQ(object, wanted) << before << " by " << json::print(*patch) << ", seed " << seed;
  }
}

}  // namespace
}  // namespace pintle
