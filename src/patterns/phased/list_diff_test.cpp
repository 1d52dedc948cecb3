#include <pintle/patterns/phased/list_diff.hpp>

#include <gmock/gmock.h>

#include <pintle/json/patch.hpp>
#include <pintle/json/pointer.hpp>

namespace pintle::phased {
namespace {

using ::testing::HasSubstr;

json::Value config(const std::string& name, json::object data = {}, const std::string& kind = "ConfigMap") {
  return json::object{{"apiVersion", "v1"},
                      {"kind", kind},
                      {"metadata", json::object{{"name", name}, {"namespace", "default"}}},
                      {"data", std::move(data)}};
}

// As the server keeps what was made of an expected object.
Object there(json::Value expected) {
  json::Value object = with_last_applied(std::move(expected));
  json::apply_merge_patch(object, *json::parse(R"({"metadata":{"uid":"u","resourceVersion":"7","generation":1,
      "creationTimestamp":"2024-01-01T00:00:00Z","managedFields":[{}]},"status":{"ok":true}})"));
  return Object(std::move(object));
}

std::string summary(const Result<ListDiff>& diff) { return diff ? diff->summary().diff : diff.error().to_string(); }

TEST(ListDiff, CreatesUpdatesAndRemoves) {
  const auto diff = diff_lists({config("new"), config("same"), config("other", {{"a", "2"}})},
                               {there(config("same")), there(config("other", {{"a", "1"}})), there(config("old"))});
  EXPECT_EQ(summary(diff),
            "create v1 ConfigMap default/new\nupdate v1 ConfigMap default/other\ndelete v1 ConfigMap default/old\n");
  const K8sDiff flags = diff->summary();
  EXPECT_TRUE(flags.need_create && flags.need_update && flags.need_delete);
}

TEST(ListDiff, OfListsThatAreAsTheyShouldBeIsNothing) {
  const auto diff = diff_lists({config("a", {{"a", "1"}})}, {there(config("a", {{"a", "1"}}))});
  ASSERT_TRUE(diff);
  const K8sDiff flags = diff->summary();
  EXPECT_FALSE(flags.need_create || flags.need_update || flags.need_delete);
  EXPECT_EQ(flags.diff, "");
}

// The original looked at the name alone.
TEST(ListDiff, ObjectsOfOneNameAndAnotherKindOrNamespaceAreOthers) {
  json::Value elsewhere = config("a");
  ASSERT_TRUE(json::set(elsewhere, "/metadata/namespace", "other"));
  const auto diff = diff_lists({config("a"), config("a", {}, "Secret"), elsewhere}, {there(config("a"))});
  EXPECT_EQ(summary(diff), "create v1 Secret default/a\ncreate v1 ConfigMap other/a\n");
}

TEST(ListDiff, KeepsWhatOthersAddedAndTakesBackWhatWasOurs) {
  json::Value object = there(config("a", {{"ours", "1"}, {"once", "1"}})).to_value();
  ASSERT_TRUE(json::set(object, "/data/theirs", "1"));
  const auto diff = diff_lists({config("a", {{"ours", "1"}})}, {Object(object)});
  ASSERT_TRUE(diff);
  ASSERT_EQ(diff->update.size(), 1U);
  EXPECT_EQ(*json::find(diff->update[0].patch, "/data"), *json::parse(R"({"once":null})"));
  json::apply_merge_patch(object, diff->update[0].patch);
  EXPECT_EQ(summary(diff_lists({config("a", {{"ours", "1"}})}, {Object(object)})), "") << "done";
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(object)})), "update v1 ConfigMap default/a\n")
      << "what was wanted last is remembered with the update";
}

TEST(ListDiff, LooksPastWhatItIsToldToIgnore) {
  json::Value object = there(config("a", {{"a", "1"}, {"scale", "5"}})).to_value();
  EXPECT_EQ(
      summary(diff_lists({config("a", {{"a", "1"}, {"scale", "1"}})}, {Object(object)}, {.pointers = {"/data/scale"}})),
      "");
  json::Value expected = config("a", {{"a", "1"}, {"scale", "5"}});
  ASSERT_TRUE(json::set(expected, "/status/ok", false));
  EXPECT_EQ(summary(diff_lists({expected}, {Object(object)})), "");
  EXPECT_EQ(summary(diff_lists({expected}, {Object(object)}, {.status = false})), "update v1 ConfigMap default/a\n");
}

TEST(ListDiff, LeavesWhatIsBeingDeletedAlone) {
  json::Value object = there(config("a", {{"a", "1"}})).to_value();
  ASSERT_TRUE(json::set(object, "/metadata/deletionTimestamp", "2024-01-01T00:00:00Z"));
  EXPECT_EQ(summary(diff_lists({}, {Object(object)})), "");
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(object)})), "");
}

TEST(ListDiff, AnObjectOfAnotherHandIsComparedAsItIs) {
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(config("a", {{"theirs", "1"}}))})), "");
  json::Value broken = config("a");
  ASSERT_TRUE(json::set(broken, "/metadata/annotations/pintle.dev~1last-applied", "{"));
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(broken)})), "");
}

TEST(ListDiff, RefusesWhatCannotBeMatched) {
  EXPECT_THAT(summary(diff_lists({json::object{{"kind", "ConfigMap"}}}, {})),
              HasSubstr("needs apiVersion, kind and metadata.name"));
  EXPECT_THAT(summary(diff_lists({json::Value("text")}, {})), HasSubstr("needs apiVersion"));
  EXPECT_THAT(summary(diff_lists({config("a"), config("a")}, {})),
              HasSubstr("two expected objects are the same: v1 ConfigMap default/a"));
  EXPECT_THAT(summary(diff_lists({}, {}, {.pointers = {"data"}})), HasSubstr("IgnoreRules"));
}

}  // namespace
}  // namespace pintle::phased
