// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/predicate.hpp>

#include <gtest/gtest.h>

#include <pintle/base/result.hpp>

namespace pintle {
namespace {

Object object(const std::string& metadata, const std::string& rest = "") {
  return Object::parse(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u",)" + metadata + "}" +
                       rest + "}")
      .value();
}

Change update(const std::string& before, const std::string& after) { return {object(before), object(after)}; }

TEST(Predicate, AnEmptyOneAcceptsAllChanges) {
  EXPECT_TRUE(Predicate()(Change{}));
  EXPECT_FALSE(Predicate().is_set());
}

TEST(Predicate, UpdatePredicatesAcceptAddedAndDeletedObjects) {
  const Object a = object(R"("generation":1)");
  for (const Predicate& predicate : {generation_changed(), labels_changed(), annotations_changed(),
                                     resource_version_changed(), fields_changed({"/spec"})}) {
    EXPECT_TRUE(predicate({{}, a}));
    EXPECT_TRUE(predicate({a, {}}));
    EXPECT_FALSE(predicate({a, a}));
  }
}

TEST(Predicate, GenerationChangedComparesGenerations) {
  EXPECT_TRUE(generation_changed()(update(R"("generation":1)", R"("generation":2)")));
  EXPECT_FALSE(generation_changed()(
      update(R"("generation":1,"resourceVersion":"1")", R"("generation":1,"resourceVersion":"2")")));
  EXPECT_TRUE(generation_changed()(update(R"("resourceVersion":"1")", R"("resourceVersion":"2")")))
      << "a ConfigMap has no generation";
  EXPECT_TRUE(generation_changed()(
      update(R"("generation":1)", R"("generation":1,"deletionTimestamp":"2026-01-02T03:04:05Z")")));
}

TEST(Predicate, LabelsAndAnnotationsAreComparedSeparately) {
  const Change labels = update(R"("labels":{"a":"1"})", R"("labels":{"a":"2"})");
  const Change annotations = update(R"("generation":1)", R"("generation":1,"annotations":{"a":"2"})");
  EXPECT_TRUE(labels_changed()(labels));
  EXPECT_FALSE(annotations_changed()(labels));
  EXPECT_FALSE(labels_changed()(annotations));
  EXPECT_TRUE(annotations_changed()(annotations));
}

TEST(Predicate, FieldsChangedComparesTheGivenPaths) {
  const Change change{object(R"("generation":1)", R"(,"spec":{"a":1,"b":1})"),
                      object(R"("generation":1)", R"(,"spec":{"a":2,"b":1})")};
  EXPECT_TRUE(fields_changed({"/spec/b", "/spec/a"})(change));
  EXPECT_FALSE(fields_changed({"/spec/b", "/status"})(change));
}

TEST(Predicate, AcceptsAnObjectThatWasReplaced) {
  const Change change = update(R"("generation":1,"uid":"u")", R"("generation":1,"uid":"v")");
  for (const Predicate& predicate :
       {generation_changed(), labels_changed(), annotations_changed(), resource_version_changed(),
        fields_changed({"/spec"}), is_added(), is_deleted(), is_added() && is_deleted()}) {
    EXPECT_TRUE(predicate(change));
  }
  EXPECT_FALSE(is_updated()(change));
  for (const char* uid : {"u", "v"}) {
    EXPECT_TRUE(object_matches([&](const Object& o) { return o.uid() == uid; })(change)) << uid;
  }
}

TEST(Predicate, CombinesWithAndOrNot) {
  const Change change = update(R"("labels":{"a":"1"},"generation":1)", R"("labels":{"a":"2"},"generation":1)");
  EXPECT_TRUE((generation_changed() || labels_changed())(change));
  EXPECT_FALSE((generation_changed() && labels_changed())(change));
  EXPECT_TRUE((!generation_changed())(change));
  EXPECT_TRUE(is_updated()(change));
  EXPECT_FALSE(is_added()(change) || is_deleted()(change));
}

TEST(Predicate, ObjectMatchesUsesTheCurrentOrTheDeletedObject) {
  const Predicate named = object_matches([](const Object& o) { return o.label("a") == "1"; });
  EXPECT_TRUE(named({{}, object(R"("labels":{"a":"1"})")}));
  EXPECT_TRUE(named({object(R"("labels":{"a":"1"})"), {}}));
  EXPECT_FALSE(named(update(R"("labels":{"a":"1"})", R"("labels":{"a":"2"})")));
}

}  // namespace
}  // namespace pintle
