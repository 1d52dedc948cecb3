// SPDX-License-Identifier: Apache-2.0
// Objects that the reflector receives: kind, size limit, projection and transformation.
#include <pintle/cache/reflector.hpp>

#include <functional>
#include <string>
#include <variant>

#include "reflector_test_support.hpp"

namespace pintle {
namespace {

TEST(Reflector, GivesListItemsTheirKind) {
  Reflector r = reflector();
  (void)r.start();
  const auto actions = on_list(r, page("7", {"a"}), start);
  EXPECT_EQ(std::get<Replace>(actions.at(0)).objects.at(0).group_version_kind(), GroupVersionKind("v1", "ConfigMap"));
}

TEST(Reflector, AnObjectAboveTheSizeLimitFailsTheList) {
  Reflector r({.kind = {"v1", "ConfigMap"}, .max_event_size = 1000});
  (void)r.start();
  const auto actions = on_list(r, R"({"items":[{"data":{"a":")" + std::string(5000, 'x'), start);
  ASSERT_EQ(text(actions), "trouble timer(1.2s)");
  EXPECT_NE(std::get<Warning>(actions[0]).error.to_string().find("a document is longer than 1000 bytes"),
            std::string::npos);
}

TEST(Reflector, ReadsIdentitiesUnlessTheProjectionDropsThem) {
  Reflector r({.kind = {"v1", "ConfigMap"}, .projection = {.projection = {.keep = {"/data/b"}}}});
  (void)r.start();
  const std::string list =
      R"({"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"},"data":{"c":""}}]})";
  EXPECT_EQ(text(on_list(r, list, start)), "replace(a) watch(7)");

  Reflector nameless({.kind = {"v1", "ConfigMap"}, .projection = {.projection = {.drop = {"/metadata/name"}}}});
  (void)nameless.start();
  const auto actions = on_list(nameless, list, start);
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_NE(std::get<Warning>(actions[0]).error.to_string().find("has an item without a name"), std::string::npos);
}

TEST(Reflector, SetsTheKindOfPartialMetadata) {
  Reflector r({.kind = {"v1", "ConfigMap"}, .metadata_only = true});
  (void)r.start();
  const auto listed =
      on_list(r,
              R"({"kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"7"},"items":)"
              R"([{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}}]})",
              start);
  EXPECT_EQ(std::get<Replace>(listed.at(0)).objects.at(0).describe(), "v1 ConfigMap a");
}

TEST(Reflector, DropsManagedFields) {
  Reflector r({.kind = {"v1", "ConfigMap"}});
  (void)r.start();
  const auto listed = on_list(
      r, R"({"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","managedFields":[{}],"uid":"1"}}]})",
      start);
  ASSERT_TRUE(std::holds_alternative<Replace>(listed.at(0)));
  EXPECT_EQ(std::get<Replace>(listed[0]).objects.at(0).print(),
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"1"}})");
  r.on_watch_open(start);
  const auto changed = r.on_watch_bytes(
      R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"managedFields":[{}],"name":"b"}}})"
      "\n");
  ASSERT_TRUE(std::holds_alternative<Put>(changed.at(0)));
  EXPECT_EQ(std::get<Put>(changed[0]).object.print(),
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}})");
}

TEST(Reflector, KeepsTheTransformedObject) {
  Reflector r({.kind = {"v1", "ConfigMap"},
               .projection = {.transform = [](json::Value& object) {
                 object.as_object()["data"] = json::object{{"size", object.at("data").as_object().size()}};
               }}});
  (void)r.start();
  const auto listed = on_list(
      r, R"({"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"},"data":{"x":"1","y":"2"}}]})", start);
  ASSERT_TRUE(std::holds_alternative<Replace>(listed.at(0)));
  EXPECT_EQ(std::get<Replace>(listed[0]).objects.at(0)["/data"].print(), R"({"size":2})");
  r.on_watch_open(start);
  const auto actions = r.on_watch_bytes(
      R"({"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"resourceVersion":"8"}}})"
      "\n"
      R"({"type":"MODIFIED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{}}})"
      "\n"
      R"({"type":"DELETED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"z":""}}})"
      "\n");
  ASSERT_EQ(text(actions), "put(a) erase(a)");
  EXPECT_EQ(std::get<Put>(actions[0]).object["/data"].print(), R"({"size":0})");
  EXPECT_EQ(std::get<Erase>(actions[1]).object["/data"].print(), R"({"size":1})");
}

// Without its version every later state of the object would count as unchanged.
TEST(Reflector, DropsAnObjectWhoseIdentityATransformChanged) {
  const std::function<void(json::Value&)> transforms[] = {
      [](json::Value& object) { object.as_object()["metadata"].as_object().erase("resourceVersion"); },
      [](json::Value& object) { object.as_object()["metadata"].as_object().erase("uid"); },
      [](json::Value& object) { object.as_object()["metadata"].as_object()["name"] = "b"; },
      [](json::Value& object) { object.as_object()["metadata"].as_object().erase("finalizers"); },
      [](json::Value& object) { object.as_object()["metadata"].as_object().erase("ownerReferences"); },
      [](json::Value& object) { object = nullptr; }};
  for (const auto& transform : transforms) {
    Reflector r({.kind = {"v1", "ConfigMap"}, .projection = {.transform = transform}});
    (void)r.start();
    (void)on_list(r, R"({"metadata":{"resourceVersion":"7"},"items":[]})", start);
    r.on_watch_open(start);
    const auto actions = r.on_watch_bytes(
        R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u","resourceVersion":"8",)"
        R"("finalizers":["example.com/f"],"ownerReferences":[{"uid":"o"}]}}})"
        "\n");
    ASSERT_EQ(actions.size(), 2U);
    ASSERT_TRUE(std::holds_alternative<DroppedObjects>(actions[0]));
    EXPECT_NE(std::get<DroppedObjects>(actions[0]).error.message.find("caches and controllers need"),
              std::string::npos);
    ASSERT_TRUE(std::holds_alternative<Erase>(actions[1]));
    EXPECT_EQ(std::get<Erase>(actions[1]).object["/metadata/name"], "a");
  }
}

}  // namespace
}  // namespace pintle
