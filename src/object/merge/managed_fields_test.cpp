// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/merge/managed_fields.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>
#include <pintle/base/random.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/testing/seeds.hpp>

#include "typed_check.hpp"
#include "typed_walk.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr const char* schema_text = R"({"properties": {
  "apiVersion": {}, "kind": {}, "metadata": {},
  "data": {"additionalProperties": {"type": "string"}},
  "spec": {"properties": {
    "image": {}, "replicas": {}, "nested": {"properties": {"a": {}, "b": {}}},
    "selector": {"x-kubernetes-map-type": "atomic"},
    "args": {"items": {}},
    "tags": {"x-kubernetes-list-type": "set", "items": {}},
    "limits": {"additionalProperties": {"properties": {"cpu": {}, "memory": {}}}}}},
  "status": {"properties": {
    "phase": {},
    "conditions": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
      "items": {"properties": {"type": {}, "status": {}, "reason": {}}}}}}}})";

json::View schema() {
  static const auto document = json::Document::parse(schema_text).value();
  return document.root();
}

json::Value parse(std::string_view text) { return json::parse(text).value(); }

void put(json::Value& value, std::string_view pointer, json::Value what) {
  ASSERT_TRUE(json::set(value, pointer, std::move(what))) << pointer;
}

const WallTime written_at{1'767'268'800s};

// A live object that several managers write.
class Live {
 public:
  explicit Live(std::string_view text, const char* creator = "creator") {
    value_ = parse(text);
    put(value_, "/metadata/uid", "u");
    record_update(json::object(), value_, schema(), {.name = creator, .api_version = "v1"}, written_at);
  }

  Result<void> apply(const char* manager, std::string_view config, bool force = false) {
    auto next = apply_configuration(value_, parse(config), schema(), {.name = manager, .api_version = "v1"},
                                    {.force = force, .now = written_at});
    if (!next) return fail(next.error());
    value_ = std::move(*next);
    return {};
  }

  void update(const char* manager, std::string_view pointer, json::Value value, const char* subresource = "") {
    json::Value next = value_;
    put(next, pointer, std::move(value));
    record_update(value_, next, schema(), {.name = manager, .api_version = "v1", .subresource = subresource},
                  written_at);
    value_ = std::move(next);
  }

  void erase(const char* manager, std::string_view pointer) {
    json::Value next = value_;
    EXPECT_TRUE(json::erase(next, pointer));
    record_update(value_, next, schema(), {.name = manager, .api_version = "v1"}, written_at);
    value_ = std::move(next);
  }

  [[nodiscard]] std::string at(std::string_view pointer) const {
    const json::Value* found = json::find(value_, pointer);
    return found == nullptr ? "" : json::print(*found);
  }

  // Returns the entries as "manager: fields; manager: fields".
  [[nodiscard]] std::string owners() const {
    std::string out;
    const json::Value* entries = json::find(value_, "/metadata/managedFields");
    if (entries == nullptr) return out;
    for (const json::Value& entry : entries->as_array()) {
      if (!out.empty()) out += "; ";
      out += std::string(entry.at("manager").as_string()) + ": " + json::print(entry.at("fieldsV1"));
    }
    return out;
  }

  json::Value value_;
};

TEST(RecordUpdate, TheCreatorOwnsItsFieldsAndTheirContainers) {
  const Live live(R"({"data":{"k":"1"}})");
  EXPECT_EQ(live.owners(), R"(creator: {"f:data":{".":{},"f:k":{}}})");
  EXPECT_EQ(live.at("/metadata/managedFields/0/time"), R"("2026-01-01T12:00:00Z")");
  EXPECT_EQ(live.at("/metadata/managedFields/0/operation"), R"("Update")");
}

TEST(RecordUpdate, AChangedFieldMovesToItsWriter) {
  Live live(R"({"data":{"k":"1","z":"9"}})");
  live.update("editor", "/data/k", "2");
  EXPECT_EQ(live.owners(), R"(creator: {"f:data":{".":{},"f:z":{}}}; editor: {"f:data":{"f:k":{}}})");
}

TEST(RecordUpdate, ARemovedFieldHasNoOwner) {
  Live live(R"({"data":{"k":"1","z":"9"}})");
  live.erase("editor", "/data/z");
  EXPECT_EQ(live.owners(), R"(creator: {"f:data":{".":{},"f:k":{}}})");
}

TEST(RecordUpdate, TheSameValueChangesNoOwner) {
  Live live(R"({"data":{"k":"1"}})");
  const json::Value before = live.value_;
  live.update("editor", "/data/k", "1");
  EXPECT_EQ(live.value_, before);
}

TEST(RecordUpdate, ASubresourceHasAnEntryOfItsOwn) {
  Live live(R"({"spec":{"image":"i"}})");
  live.update("creator", "/status/phase", "Ready", "status");
  EXPECT_EQ(live.owners(), R"(creator: {"f:spec":{".":{},"f:image":{}}}; creator: {"f:status":{".":{},"f:phase":{}}})");
  EXPECT_EQ(live.at("/metadata/managedFields/1/subresource"), R"("status")");
}

TEST(RecordUpdate, OmittedManagedFieldsAreKept) {
  Live live(R"({"data":{"k":"1"}})");
  json::Value next = parse(R"({"metadata":{"uid":"u"},"data":{"k":"1","n":"2"}})");
  record_update(live.value_, next, schema(), {.name = "old-client", .api_version = "v1"}, written_at);
  live.value_ = next;
  EXPECT_EQ(live.owners(), R"(creator: {"f:data":{".":{},"f:k":{}}}; old-client: {"f:data":{"f:n":{}}})");
}

// Sets or removes one field.
void change_something(Random& random, json::Value& object) {
  static const char* const places[] = {
      "/data/a",    "/data/b",          "/spec/image",        "/spec/nested/a", "/spec/limits/x/cpu",
      "/spec/tags", "/spec/selector/s", "/metadata/labels/l", "/status/phase"};
  const char* place = places[random.below(std::size(places))];
  if (random.below(3) == 0) {
    json::erase(object, place);
  } else if (place == std::string_view("/spec/tags")) {
    put(object, place, random.below(2) == 0 ? json::array{"t"} : json::array{"t", "u"});
  } else {
    put(object, place, random.below(3));
  }
}

// A client may send the entries of `managedFields` unchanged or leave them out, with the same result. Unchanged entries
// need not be parsed.
TEST(RecordUpdate, UnchangedEntriesEqualOmittedOnes) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    json::Value live =
        Live(R"({"metadata":{"name":"n"},"data":{"a":"1"},"spec":{"image":"i"},"status":{"phase":"p"}})").value_;
    for (int write = 0; write < 40; ++write) {
      const json::Value* shared = json::find(live, "/data/a");
      if (shared != nullptr && random.below(4) == 0) {  // the field has two owners now
        live = apply_configuration(live, {{"metadata", {{"name", "n"}}}, {"data", {{"a", *shared}}}}, schema(),
                                   {.name = "applier", .api_version = "v1"}, {.now = written_at})
                   .value();
      }
      json::Value next = live;
      for (std::uint64_t n = random.below(3); n > 0; --n) change_something(random, next);
      json::Value without = next;
      json::erase(without, "/metadata/managedFields");
      const FieldManager manager{.name = std::string(1, static_cast<char>('a' + random.below(3))),
                                 .api_version = random.below(8) == 0 ? "v2" : "v1",
                                 .subresource = random.below(4) == 0 ? "status" : ""};
      const WallTime now = written_at + std::chrono::seconds(write / 3);

      record_update(live, next, schema(), manager, now);
      record_update(live, without, schema(), manager, now);

      const auto entries = [](const json::Value& value) {
        const json::Value* found = json::find(value, "/metadata/managedFields");
        return found == nullptr ? "none" : json::print(*found);
      };
      ASSERT_EQ(entries(next), entries(without)) << "seed " << seed << ", write " << write;
      live = std::move(next);
    }
  }
}

TEST(RecordUpdate, OneEmptyEntryResetsAndThenNothingIsTrackedUntilAnApply) {
  Live live(R"({"data":{"k":"1"}})");
  live.update("editor", "/metadata/managedFields", json::array{json::object{}});
  EXPECT_EQ(live.owners(), "");
  live.update("editor", "/data/k", "2");
  EXPECT_EQ(live.owners(), "");
  ASSERT_TRUE(live.apply("applier", R"({"data":{"n":"1"}})"));
  EXPECT_EQ(live.owners(), R"(applier: {"f:data":{"f:n":{}}}; before-first-apply: {"f:data":{".":{},"f:k":{}}})");
}

TEST(Apply, CreatesAMissingObject) {
  const auto made =
      apply_configuration({}, parse(R"({"metadata":{"name":"a","labels":{"l":"1"}},"spec":{"replicas":1}})"), schema(),
                          {.name = "one", .api_version = "v1"}, {.now = written_at});
  ASSERT_TRUE(made);
  EXPECT_EQ(json::print(made->at_pointer("/metadata/managedFields/0/fieldsV1")),
            R"({"f:metadata":{"f:labels":{"f:l":{}}},"f:spec":{"f:replicas":{}}})");
}

TEST(Apply, KeepsOtherFields) {
  Live live(R"({"data":{"k":"1","z":"9"}})");
  ASSERT_TRUE(live.apply("applier", R"({"data":{"n":"2"}})"));
  EXPECT_EQ(live.at("/data"), R"({"k":"1","z":"9","n":"2"})");
  EXPECT_EQ(live.owners(), R"(applier: {"f:data":{"f:n":{}}}; creator: {"f:data":{".":{},"f:k":{},"f:z":{}}})");
}

TEST(Apply, RefusesAnotherValueForAForeignField) {
  Live live(R"({"data":{"k":"1"}})");
  const auto refused = live.apply("applier", R"({"data":{"k":"7"}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  ASSERT_EQ(refused.error().causes.size(), 1U);
  EXPECT_EQ(refused.error().causes[0].reason, "FieldManagerConflict");
  EXPECT_EQ(refused.error().causes[0].field, ".data.k");
  EXPECT_NE(refused.error().message.find("\"creator\""), std::string::npos);
  EXPECT_EQ(live.at("/data/k"), R"("1")");
}

TEST(TypedErrors, NameTheItemsThatCannotBeInTheirList) {
  const auto errors = [](std::string_view config) {
    std::string all;
    for (const std::string& error : typed_errors(parse(config), schema())) all += error + "\n";
    return all;
  };
  EXPECT_EQ(
      errors(R"({"status":{"conditions":[{"type":"A"},{"status":"x"}]}})"),
      ".status.conditions: element 1: associative list with keys has an element that omits key field \"type\" (and "
      "doesn't have default value)\n");
  EXPECT_EQ(errors(R"({"status":{"conditions":[null]},"spec":{"tags":["a",null]}})"),
            ".status.conditions: element 0: associative list with keys may not have a null element\n"
            ".spec.tags: element 1: associative list without keys has an element that's an explicit null\n");
  EXPECT_EQ(errors(R"({"status":{"conditions":[{"type":"A"},{"type":"A","x":1}]},"spec":{"tags":["a","a"]}})"),
            ".status.conditions: duplicate entries for key [type=\"A\"]\n"
            ".status.conditions[type=\"A\"].x: field not declared in schema\n"
            ".spec.tags: duplicate entries for key [=\"a\"]\n");
  EXPECT_EQ(errors(R"({"spec":{"tags":[{}]}})"),
            ".spec.tags: element 0: associative list without keys has an element that's a map type\n");
}

TEST(TypedErrors, AreTheFirstHundred) {
  std::string tags = "null";
  for (int i = 0; i < 200; ++i) tags = "\"a\"," + tags;
  EXPECT_EQ(typed_errors(parse(R"({"spec":{"tags":[)" + tags + "]}}"), schema()).size(), 100U);
}

TEST(Apply, ListsSeveralConflictsByTheirManager) {
  Live live(R"({"data":{"k":"1","m":"2","z":"3"}})");
  live.update("zoe", "/data/m", "5");
  const auto refused = live.apply("applier", R"({"data":{"k":"7","m":"8","z":"9"}})");
  ASSERT_FALSE(refused);
  const std::string& message = refused.error().message;
  EXPECT_TRUE(message.starts_with("Apply failed with 3 conflicts: conflicts with \"creator\" using v1")) << message;
  EXPECT_NE(message.find(":\n- .data.k\n- .data.z\nconflicts with \"zoe\" using v1"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with(":\n- .data.m")) << message;
}

TEST(Apply, ForceTakesOverTheField) {
  Live live(R"({"data":{"k":"1","z":"9"}})");
  ASSERT_TRUE(live.apply("applier", R"({"data":{"k":"7"}})", true));
  EXPECT_EQ(live.at("/data/k"), R"("7")");
  EXPECT_EQ(live.owners(), R"(applier: {"f:data":{"f:k":{}}}; creator: {"f:data":{".":{},"f:z":{}}})");
}

TEST(Apply, AnEqualValueIsOwnedByBoth) {
  Live live(R"({"data":{"k":"1"}})");
  ASSERT_TRUE(live.apply("applier", R"({"data":{"k":"1"}})"));
  ASSERT_TRUE(live.apply("applier", R"({"data":{}})"));
  EXPECT_EQ(live.at("/data/k"), R"("1")") << "the creator still owns it";
}

TEST(Apply, ADroppedFieldIsRemovedWithItsLastOwner) {
  Live live(R"({"data":{"z":"9"}})");
  ASSERT_TRUE(live.apply("applier", R"({"metadata":{"name":"a","labels":{"l":"1"}},"data":{"n":"2","m":"3"}})"));
  ASSERT_TRUE(live.apply("applier", R"({"metadata":{"name":"a"},"data":{"n":"2"}})"));
  EXPECT_EQ(live.at("/data"), R"({"z":"9","n":"2"})");
  EXPECT_EQ(live.at("/metadata/labels"), "");
  EXPECT_EQ(live.at("/metadata/name"), R"("a")");
}

TEST(Apply, ADroppedStructIsRemovedWithItsUnownedFields) {
  Live live(R"({"data":{"z":"9"}})");
  ASSERT_TRUE(live.apply("applier", R"({"spec":{"nested":{"a":1},"image":"i"}})"));
  put(live.value_, "/spec/nested/b", "defaulted");
  ASSERT_TRUE(live.apply("applier", R"({"spec":{"image":"i"}})"));
  EXPECT_EQ(live.at("/spec"), R"({"image":"i"})");
}

TEST(Apply, AnAtomicMapIsOneField) {
  Live live(R"({"spec":{"selector":{"a":"1"}}})");
  const auto refused = live.apply("applier", R"({"spec":{"selector":{"b":"2"}}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().causes[0].field, ".spec.selector");
  ASSERT_TRUE(live.apply("applier", R"({"spec":{"selector":{"b":"2"}}})", true));
  EXPECT_EQ(live.at("/spec/selector"), R"({"b":"2"})");
}

TEST(Apply, AListWithoutATypeIsOneField) {
  Live live(R"({"spec":{"args":["a"]}})");
  ASSERT_FALSE(live.apply("applier", R"({"spec":{"args":["b"]}})"));
  ASSERT_TRUE(live.apply("applier", R"({"spec":{"args":["b"]}})", true));
  EXPECT_EQ(live.at("/spec/args"), R"(["b"])");
}

TEST(Apply, ItemsOfAListMapHaveOwnersEach) {
  Live live(R"({"spec":{"image":"i"}})");
  ASSERT_TRUE(live.apply("three", R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})"));
  ASSERT_TRUE(live.apply("four", R"({"status":{"conditions":[{"type":"Synced","status":"False"}]}})"));
  EXPECT_EQ(live.at("/status/conditions"), R"([{"type":"Ready","status":"True"},{"type":"Synced","status":"False"}])");
  EXPECT_NE(
      live.owners().find(
          R"(four: {"f:status":{"f:conditions":{"k:{\"type\":\"Synced\"}":{".":{},"f:status":{},"f:type":{}}}}})"),
      std::string::npos);
  ASSERT_TRUE(live.apply("three", R"({"metadata":{"name":"a"}})"));
  EXPECT_EQ(live.at("/status/conditions"), R"([{"type":"Synced","status":"False"}])");
}

TEST(Apply, ConflictsInsideAnItemNameItsKey) {
  Live live(R"({"spec":{"image":"i"}})");
  ASSERT_TRUE(live.apply("three", R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})"));
  const auto refused = live.apply("four", R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().causes[0].field, R"(.status.conditions[type="Ready"].status)");
}

TEST(Apply, ItemsOfASetHaveOwnersEach) {
  Live live(R"({"spec":{"image":"i"}})");
  ASSERT_TRUE(live.apply("one", R"({"spec":{"tags":["a","b"]}})"));
  ASSERT_TRUE(live.apply("two", R"({"spec":{"tags":["b","c"]}})"));
  EXPECT_EQ(live.at("/spec/tags"), R"(["a","b","c"])");
  ASSERT_TRUE(live.apply("one", R"({"spec":{}})"));
  EXPECT_EQ(live.at("/spec/tags"), R"(["b","c"])");
}

TEST(Apply, OrdersSharedItemsLikeTheConfiguration) {
  Live live(R"({"spec":{"tags":["a","x","b"]}})");
  ASSERT_TRUE(live.apply("one", R"({"spec":{"tags":["b","n","a"]}})"));
  EXPECT_EQ(live.at("/spec/tags"), R"(["b","n","a","x"])");
}

TEST(Apply, EntriesOfAMapOfStructsAreOwnedAsSuch) {
  Live live(R"({"spec":{"image":"i"}})");
  ASSERT_TRUE(live.apply("one", R"({"spec":{"limits":{"x":{"cpu":"1"}}}})"));
  EXPECT_NE(live.owners().find(R"({"f:limits":{"f:x":{".":{},"f:cpu":{}}}})"), std::string::npos);
}

TEST(Apply, RefusesAListMapWithoutItsKeys) {
  Live live(R"({"spec":{"image":"i"}})");
  const auto refused = live.apply("one", R"({"status":{"conditions":[{"status":"True"}]}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  EXPECT_FALSE(live.apply("one", R"({"status":{"conditions":[{"type":"A"},{"type":"A"}]}})"));
}

TEST(Apply, TheSameConfigurationTwiceChangesNothing) {
  Live live(R"({"data":{"z":"9"}})");
  const char* config =
      R"({"metadata":{"name":"a","labels":{"l":"1"}},"data":{"n":"2"},"spec":{"tags":["a"],"nested":{"a":1}}})";
  ASSERT_TRUE(live.apply("applier", config));
  const json::Value before = live.value_;
  ASSERT_TRUE(live.apply("applier", config));
  EXPECT_EQ(live.value_, before);
}

TEST(Apply, WithoutASchemaListsAreAtomicAndObjectsMerge) {
  const json::Value live = parse(R"({"spec":{"a":{"b":1},"list":[{"name":"x"}]}})");
  const auto merged = apply_configuration(live, parse(R"({"spec":{"a":{"c":2},"list":[{"name":"y"}]}})"), {},
                                          {.name = "one", .api_version = "v1"}, {.now = written_at});
  ASSERT_TRUE(merged);
  EXPECT_EQ(json::print(merged->at("spec")), R"({"a":{"b":1,"c":2},"list":[{"name":"y"}]})");
}

// ---- properties ----

json::Value random_object(Random& random) {
  json::object spec;
  if (random.below(2) == 0) spec["image"] = static_cast<std::int64_t>(random.below(3));
  if (random.below(2) == 0) spec["nested"] = json::object{{"a", static_cast<std::int64_t>(random.below(2))}};
  json::array tags;
  for (const char* tag : {"a", "b", "c"}) {
    if (random.below(2) == 0) tags.emplace_back(tag);
  }
  if (random.below(3) != 0) spec["tags"] = std::move(tags);
  json::array conditions;
  for (const char* type : {"R", "S"}) {
    if (random.below(2) == 0)
      conditions.emplace_back(json::object{{"type", type}, {"status", static_cast<std::int64_t>(random.below(2))}});
  }
  json::object data;
  for (const char* key : {"k", "l", "m"}) {
    if (random.below(2) == 0) data[key] = static_cast<std::int64_t>(random.below(3));
  }
  return json::object{{"spec", std::move(spec)},
                      {"status", json::object{{"conditions", std::move(conditions)}}},
                      {"data", std::move(data)}};
}

TEST(ApplyProperties, AForcedApplyIsContainedInTheResultAndIsIdempotent) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    Live live(json::print(random_object(random)));
    for (int step = 0; step < 6; ++step) {
      const char* manager = step % 2 == 0 ? "one" : "two";
      const json::Value config = random_object(random);
      ASSERT_TRUE(live.apply(manager, json::print(config), true)) << seed;
      const auto again = merge_typed(live.value_, config, schema());
      ASSERT_TRUE(again);
      EXPECT_EQ(json::print(*again), json::print(live.value_))
          << "seed " << seed << ": the result lacks some of the configuration";
      const json::Value before = live.value_;
      ASSERT_TRUE(live.apply(manager, json::print(config), false)) << seed;
      EXPECT_EQ(live.value_, before) << seed;
    }
  }
}

std::map<std::string, FieldSet> fields_by_manager(const json::Value& object) {
  std::map<std::string, FieldSet> all;
  const json::Value* entries = json::find(object, "/metadata/managedFields");
  if (entries == nullptr) return all;
  for (const json::Value& entry : entries->as_array()) {
    all[std::string(entry.at("manager").as_string())] = FieldSet::from_v1(entry.at("fieldsV1"));
  }
  return all;
}

TEST(ApplyProperties, NoManagerLosesAFieldUnlessForced) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    Live live(json::print(random_object(random)));
    for (const char* manager : {"one", "two"}) {
      ASSERT_TRUE(live.apply(manager, json::print(random_object(random)), true)) << seed;
    }
    const json::Value before = live.value_;
    const json::Value config = random_object(random);
    if (!live.apply("one", json::print(config))) {
      ++refused;
      continue;
    }
    const Comparison difference = compare_fields(before, live.value_, schema());
    auto after = fields_by_manager(live.value_);
    for (auto& [manager, held] : fields_by_manager(before)) {
      if (manager == "one") continue;
      EXPECT_TRUE(held.intersection(difference.modified).paths().empty()) << manager << ", seed " << seed;
      EXPECT_TRUE(held.intersection(difference.removed).paths().empty()) << manager << ", seed " << seed;
      held.subtract(after[manager]);
      EXPECT_TRUE(held.paths().empty()) << manager << ", seed " << seed;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, 450);
}

// Assigns each field, item and entry to one of several objects.
std::vector<json::Value> dealt(Random& random, const json::Value& object, std::size_t hands) {
  std::vector<json::Value> out(hands, json::object{});
  for (const auto& [name, value] : object.as_object()) {
    if (name == "tags" || name == "conditions") {
      for (const json::Value& item : value.as_array()) {
        json::Value& list = out[random.below(hands)].as_object()[name];
        if (!list.is_array()) list.emplace_array();
        list.as_array().push_back(item);
      }
    } else if (value.is_object()) {
      std::vector<json::Value> parts = dealt(random, value, hands);
      for (std::size_t i = 0; i < hands; ++i) {
        if (!parts[i].as_object().empty()) out[i].as_object()[name] = std::move(parts[i]);
      }
    } else {
      out[random.below(hands)].as_object()[name] = value;
    }
  }
  return out;
}

TEST(ApplyProperties, TwoAppliersOfDisjointFieldsCommute) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const std::vector<json::Value> hands = dealt(random, random_object(random), 3);
    const std::string one = json::print(hands[0]);
    const std::string two = json::print(hands[1]);
    Live first(json::print(hands[2]));
    Live second(json::print(hands[2]));
    ASSERT_TRUE(first.apply("one", one) && first.apply("two", two)) << seed;
    ASSERT_TRUE(second.apply("two", two) && second.apply("one", one)) << seed;
    // Merged lists have the items in the order in which they were applied.
    const Comparison difference = compare_fields(first.value_, second.value_, schema());
    EXPECT_TRUE(difference.added.empty() && difference.removed.empty() && difference.modified.empty()) << seed;
    EXPECT_EQ(fields_by_manager(first.value_), fields_by_manager(second.value_)) << seed;
  }
}

TEST(CompareProperties, NothingDiffersExactlyWhenObjectsAreEqual) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    const json::Value a = random_object(random);
    const json::Value b = random.below(4) == 0 ? a : random_object(random);
    const Comparison difference = compare_fields(a, b, schema());
    const bool same = difference.added.empty() && difference.removed.empty() && difference.modified.empty();
    // A set in another order is the same set. random_object keeps the order, and never returns an empty object in place
    // of a missing one.
    EXPECT_EQ(same, a == b) << seed << json::print(a) << json::print(b);
    const Comparison back = compare_fields(b, a, schema());
    EXPECT_EQ(difference.added, back.removed) << seed;
    EXPECT_EQ(difference.modified, back.modified) << seed;
  }
}

TEST(FieldSets, RoundTrip) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const FieldSet set = claimed_fields(random_object(random), schema());
    if (!set.empty()) {
      EXPECT_EQ(FieldSet::from_v1(set.to_v1()), set) << seed;
    }
  }
}

// A search for each item takes minutes.
TEST(LargeLists, AreComparedAndMergedInLinearTime) {
  constexpr int size = testkit::is_sanitized ? 20'000 : 100'000;
  json::array items;
  json::array tags;
  for (int i = 0; i < size; ++i) {
    items.push_back({{"type", "t" + std::to_string(i)}, {"status", "True"}});
    tags.push_back(json::Value("t" + std::to_string(i)));
  }
  const auto object_of = [](json::array conditions, json::array names) {
    return json::Value{{"spec", {{"tags", std::move(names)}}}, {"status", {{"conditions", std::move(conditions)}}}};
  };
  const json::Value before = object_of(items, tags);
  std::reverse(items.begin(), items.end());
  std::reverse(tags.begin(), tags.end());
  const json::Value after = object_of(items, tags);
  const auto clock = make_real_executor(1);
  const Instant begin = clock->now();

  const Comparison difference = compare_fields(before, after, schema());
  const auto merged = merge_typed(before, after, schema());
  const FieldSet claimed = claimed_fields(after, schema());

  EXPECT_LT(clock->now() - begin, 60s);
  EXPECT_TRUE(difference.added.empty() && difference.removed.empty() && difference.modified.empty());
  ASSERT_TRUE(merged);
  EXPECT_TRUE(*merged == after);
  EXPECT_EQ(claimed.child("f:spec")->child("f:tags")->children().size(), std::size_t{size});
}

TEST(LargeLists, WithEqualItemsAreAtomic) {
  json::array tags;
  for (int i = 0; i < 100; ++i) tags.push_back(json::Value("t" + std::to_string(i)));
  const auto claimed_tags = [&] {
    const json::Value object{{"spec", {{"tags", tags}}}, {"kind", "K"}};
    return claimed_fields(object, schema()).child("f:spec")->child("f:tags")->children().size();
  };
  EXPECT_EQ(claimed_tags(), 100U);
  tags.push_back("t7");
  EXPECT_EQ(claimed_tags(), 0U);
}

}  // namespace
}  // namespace pintle
