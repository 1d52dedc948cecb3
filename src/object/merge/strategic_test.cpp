// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/merge/strategic.hpp>

#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>

namespace pintle {
namespace {

constexpr const char* pod_schema = R"({"properties": {
  "spec": {"properties": {
    "containers": {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name", "items": {"properties": {
      "env": {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"}}}},
    "volumes": {"x-kubernetes-patch-strategy": "merge,retainKeys", "x-kubernetes-patch-merge-key": "name"},
    "names": {"x-kubernetes-patch-strategy": "merge"},
    "args": {"type": "array"}}}}})";

json::Value value_of(std::string_view text) { return json::parse(text).value(); }

std::string patched(std::string_view target, std::string_view patch) {
  json::Value value = value_of(target);
  const auto schema = json::Document::parse(pod_schema).value();
  const auto done = apply_strategic_patch(value, value_of(patch), schema.root());
  return done ? json::print(value) : "error: " + done.error().message;
}

struct StrategicCase {
  const char* name;
  const char* target;
  const char* patch;
  const char* expected;
};

class StrategicPatch : public testing::TestWithParam<StrategicCase> {};

TEST_P(StrategicPatch, GivesTheResultsOfKubectl) {
  const StrategicCase& one = GetParam();
  EXPECT_EQ(patched(one.target, one.patch), json::print(value_of(one.expected)));
}

const StrategicCase cases[] = {
    {"ObjectsMerge", R"({"data":{"a":"1","b":"2"}})", R"({"data":{"b":"3","c":"4"}})",
     R"({"data":{"a":"1","b":"3","c":"4"}})"},
    {"NullRemoves", R"({"data":{"a":"1","b":"2"}})", R"({"data":{"a":null}})", R"({"data":{"b":"2"}})"},
    {"NullInsideANewObjectIsNotStored", R"({})", R"({"data":{"a":null,"b":"1"}})", R"({"data":{"b":"1"}})"},
    {"ListsWithoutAKeyAreReplaced", R"({"spec":{"args":["a","b"]}})", R"({"spec":{"args":["c"]}})",
     R"({"spec":{"args":["c"]}})"},
    {"ItemsMergeByKeyAndKeepTheirOrder",
     R"({"spec":{"containers":[{"name":"one","image":"i"},{"name":"two","image":"j"}]}})",
     R"({"spec":{"containers":[{"name":"two","image":"k"}]}})",
     R"({"spec":{"containers":[{"name":"one","image":"i"},{"name":"two","image":"k"}]}})"},
    {"NewItemsComeBeforeThoseThePatchDoesNotName",
     R"({"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}]}})",
     R"({"spec":{"containers":[{"name":"c","env":[{"name":"B","$patch":"delete"},{"name":"C","value":"3"}]}]}})",
     R"({"spec":{"containers":[{"name":"c","env":[{"name":"C","value":"3"},{"name":"A","value":"1"}]}]}})"},
    {"PatchDeleteOfAnUnknownItemChangesNothing", R"({"spec":{"containers":[{"name":"a"}]}})",
     R"({"spec":{"containers":[{"name":"b","$patch":"delete"}]}})", R"({"spec":{"containers":[{"name":"a"}]}})"},
    {"PatchReplaceInAListReplacesIt", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
     R"({"spec":{"containers":[{"name":"c"},{"$patch":"replace"}]}})", R"({"spec":{"containers":[{"name":"c"}]}})"},
    {"PatchReplaceInAnObjectReplacesIt", R"({"data":{"a":"1","b":"2"}})", R"({"data":{"$patch":"replace","c":"3"}})",
     R"({"data":{"c":"3"}})"},
    {"PatchDeleteInAnObjectRemovesIt", R"({"data":{"a":"1"},"kind":"K"})", R"({"data":{"$patch":"delete"}})",
     R"({"kind":"K"})"},
    {"SetElementOrderOrders", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"c"},{"name":"a"}],"containers":[{"name":"c"}]}})",
     R"({"spec":{"containers":[{"name":"b"},{"name":"c"},{"name":"a"}]}})"},
    {"SetElementOrderAloneOrders", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}})",
     R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})"},
    {"RetainKeysDropsTheOthers", R"({"spec":{"volumes":[{"name":"v","emptyDir":{},"other":1}]}})",
     R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name","secret"],"secret":{"secretName":"s"}}]}})",
     R"({"spec":{"volumes":[{"name":"v","secret":{"secretName":"s"}}]}})"},
    {"PrimitiveListsMergeNewFirst", R"({"spec":{"names":["a"]}})", R"({"spec":{"names":["b","a"]}})",
     R"({"spec":{"names":["b","a"]}})"},
    {"DeleteFromPrimitiveListDeletes", R"({"spec":{"names":["a","b","c"]}})",
     R"({"spec":{"$deleteFromPrimitiveList/names":["a","c"]}})", R"({"spec":{"names":["b"]}})"},
    {"FinalizersMergeWithoutASchema", R"({"metadata":{"finalizers":["x.dev/f"]}})",
     R"({"metadata":{"finalizers":["y.dev/g"]}})", R"({"metadata":{"finalizers":["y.dev/g","x.dev/f"]}})"},
    {"OwnersMergeByUid", R"({"metadata":{"ownerReferences":[{"uid":"1","name":"a"}]}})",
     R"({"metadata":{"ownerReferences":[{"uid":"1","name":"b"},{"uid":"2","name":"c"}]}})",
     R"({"metadata":{"ownerReferences":[{"uid":"1","name":"b"},{"uid":"2","name":"c"}]}})"},
};

INSTANTIATE_TEST_SUITE_P(All, StrategicPatch, testing::ValuesIn(cases),
                         [](const auto& tested) { return tested.param.name; });

TEST(StrategicPatchErrors, NameThePathOfTheError) {
  EXPECT_EQ(patched("{}", R"({"data":{"$patch":"explode"}})"), "{}")
      << "there is nothing to which the directive applies";
  EXPECT_EQ(patched(R"({"data":{}})", R"({"data":{"$patch":"explode"}})"),
            "error: .data: $patch must be replace or delete");
  EXPECT_EQ(patched(R"({"spec":{"containers":[{"name":"a"}]}})", R"({"spec":{"containers":[{"image":"i"}]}})"),
            "error: .spec.containers: an item has no merge key name");
  EXPECT_EQ(patched(R"({"spec":{"volumes":[{"name":"v"}]}})",
                    R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name"],"a":1}]}})"),
            "error: .spec.volumes[\"v\"]: a is set but not in $retainKeys");
}

std::string server_message(std::string_view target, std::string_view patch) {
  json::Value value = value_of(target);
  const auto schema = json::Document::parse(pod_schema).value();
  const auto done = apply_strategic_patch(value, value_of(patch), schema.root());
  return done || done.error().causes.size() != 1 ? "" : done.error().causes.front().message;
}

TEST(StrategicPatchErrors, ContainTheMessageOfTheServer) {
  const char* pod = R"({"spec":{"containers":[{"name":"a"}],"volumes":[{"name":"v"}]}})";
  EXPECT_EQ(server_message(pod, R"({"spec":{"containers":[{"image":"i","args":["x",1]}]}})"),
            "map: map[args:[x 1] image:i] does not contain declared merge key: name");
  EXPECT_EQ(server_message(pod, R"({"spec":{"containers":[{"$patch":"delete"}]}})"),
            "map: map[$patch:delete] does not contain declared merge key: name");
  EXPECT_EQ(server_message(pod, R"({"spec":{"$patch":"explode"}})"),
            "unknown patch type: explode in map: map[$patch:explode]");
  EXPECT_EQ(server_message(pod, R"({"spec":{"containers":[{"name":"a","$patch":"merge"}]}})"),
            "merging lists cannot yet be specified in the patch");
  EXPECT_EQ(server_message(pod, R"({"spec":{"containers":["b"]}})"),
            "list element types are not identical: [[map[name:a]] [b]]");
  EXPECT_EQ(server_message(pod, R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name"],"a":1}]}})"),
            "invalid patch format of retainKeys");
}

TEST(StrategicPatchErrors, ANewListNeedsNoMergeKeys) {
  EXPECT_EQ(patched("{}", R"({"spec":{"containers":[{"image":"i"},{"image":"i"}]}})"),
            R"({"spec":{"containers":[{"image":"i"},{"image":"i"}]}})");
}

// The directives of a patch are never stored, at any place in the patch.
TEST(StrategicPatchErrors, DirectivesAreNeverStored) {
  const std::string result =
      patched("{}", R"({"a":{"$patch":"merge","b":{}},"b":{"$retainKeys":["c"],"c":[{"$patch":"replace"}]},
      "spec":{"$setElementOrder/containers":[{"name":"y"}],"containers":[{"name":"x","$patch":"merge"},{"name":"y"}]}})");
  EXPECT_EQ(result, R"({"b":{"c":[{"$patch":"replace"}]},"spec":{"containers":[{"name":"y"}]}})")
      << "as on a real server, only a list that is replaced completely keeps them";
}

TEST(StrategicPatchOfLargeLists, DeletesAndAddsTheFirstOfSeveralEqualItems) {
  const auto pod = [](std::string_view seventh, std::string_view last = "") {
    std::string items;
    for (int i = 0; i < 40; ++i) {
      const std::string item = i == 7 ? std::string(seventh) : R"({"name":"c)" + std::to_string(i) + "\"}";
      if (!item.empty()) items += (items.empty() ? "" : ",") + item;
    }
    return R"({"spec":{"containers":[)" + items + std::string(last) + "]}}";
  };
  const auto with = [](const std::string& items) { return R"({"spec":{"containers":[)" + items + "]}}"; };
  const std::string first = R"({"name":"c7"})";
  const std::string other = R"(,{"name":"c7","image":"i"})";
  const std::string deletes = R"({"name":"c7","$patch":"delete"})";
  EXPECT_EQ(patched(pod(first, other), with(deletes)), pod("", other));
  EXPECT_EQ(patched(pod(first, other), with(deletes + "," + deletes)), pod(""));
  EXPECT_EQ(patched(pod(first), with(deletes + "," + deletes)), pod(""));
  EXPECT_EQ(patched(pod(first), with(deletes + other)), pod(R"({"name":"c7","image":"i"})"));
}

// A search for each item takes minutes.
TEST(StrategicPatchOfLargeLists, TakesLinearTime) {
  json::array names;
  json::array gone;
  for (int i = 0; i < 100'000; ++i) (i % 2 == 0 ? names : gone).emplace_back("n" + std::to_string(i));
  json::array all = names;
  all.insert(all.end(), gone.begin(), gone.end());
  json::Value target{{"kind", "K"}, {"spec", {{"names", all}}}};
  std::reverse(all.begin(), all.end());
  const json::Value patch{{"kind", "K"}, {"spec", {{"$deleteFromPrimitiveList/names", gone}, {"names", all}}}};
  const auto document = json::Document::parse(pod_schema).value();
  const auto clock = make_real_executor(1);
  const Instant begin = clock->now();
  ASSERT_TRUE(apply_strategic_patch(target, patch, document.root()));
  EXPECT_LT(clock->now() - begin, std::chrono::seconds(60));
  EXPECT_TRUE(target.at_pointer("/spec/names") == json::Value(all));
}

}  // namespace
}  // namespace pintle
