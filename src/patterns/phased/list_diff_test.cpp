// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/phased/list_diff.hpp>

#include <gmock/gmock.h>

#include <pintle/json/patch.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/names.hpp>

namespace pintle::phased {
namespace {

using ::testing::HasSubstr;

json::Value config(const std::string& name, json::object data = {}, const std::string& kind = "ConfigMap") {
  return json::object{{"apiVersion", "v1"},
                      {"kind", kind},
                      {"metadata", json::object{{"name", name}, {"namespace", "default"}}},
                      {"data", std::move(data)}};
}

// An existing object that was created from an expected one, as the server returns it.
Object there(json::Value expected) {
  json::Value object = with_last_applied(std::move(expected));
  json::apply_merge_patch(object, *json::parse(R"({"metadata":{"uid":"u","resourceVersion":"7","generation":1,
      "creationTimestamp":"2024-01-01T00:00:00Z","managedFields":[{}]},"status":{"ok":true}})"));
  return Object(object);
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

TEST(ListDiff, OfEqualListsIsEmpty) {
  const auto diff = diff_lists({config("a", {{"a", "1"}})}, {there(config("a", {{"a", "1"}}))});
  ASSERT_TRUE(diff);
  const K8sDiff flags = diff->summary();
  EXPECT_FALSE(flags.need_create || flags.need_update || flags.need_delete);
  EXPECT_EQ(flags.diff, "");
}

// The original compared only the names.
TEST(ListDiff, DistinguishesKindAndNamespace) {
  json::Value elsewhere = config("a");
  ASSERT_TRUE(json::set(elsewhere, "/metadata/namespace", "other"));
  const auto diff = diff_lists({config("a"), config("a", {}, "Secret"), elsewhere}, {there(config("a"))});
  EXPECT_EQ(summary(diff), "create v1 Secret default/a\ncreate v1 ConfigMap other/a\n");
}

TEST(ListDiff, KeepsForeignMembersAndRemovesOurFormerOnes) {
  json::Value object = there(config("a", {{"ours", "1"}, {"once", "1"}})).to_value();
  ASSERT_TRUE(json::set(object, "/data/theirs", "1"));
  const auto diff = diff_lists({config("a", {{"ours", "1"}})}, {Object(object)});
  ASSERT_TRUE(diff);
  ASSERT_EQ(diff->update.size(), 1U);
  EXPECT_EQ(*json::find(diff->update[0].patch, "/data"), *json::parse(R"({"once":null})"));
  json::apply_merge_patch(object, diff->update[0].patch);
  EXPECT_EQ(summary(diff_lists({config("a", {{"ours", "1"}})}, {Object(object)})), "") << "done";
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(object)})), "update v1 ConfigMap default/a\n")
      << "the update stores the last desired state";
}

json::Value owner_with(const std::string& uid, bool is_controller = false) {
  json::Value reference = json::object{{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", uid}, {"uid", uid}};
  if (is_controller) reference.as_object()["controller"] = true;
  return reference;
}

json::Value config_of(json::array owners) {
  json::Value object = config("a");
  (void)json::set(object, "/metadata/ownerReferences", std::move(owners));
  return object;
}

TEST(ListDiff, OwnersAreAddedByUidAndNeverRemoved) {
  const auto owners = [](const json::Value& expected, const json::Value& current) {
    const auto diff = diff_lists({expected}, {there(current)});
    if (!diff || diff->update.size() > 1) return std::string("not a single update");
    const json::Value* patched =
        diff->update.empty() ? nullptr : json::find(diff->update[0].patch, "/metadata/ownerReferences");
    if (patched == nullptr) return std::string("unchanged");
    if (!patched->is_array()) return std::string("removed");
    std::string uids;
    for (const json::Value& one : patched->get_array()) {
      uids += one.at("uid").as_string();
      uids += one.as_object().contains("controller") ? "! " : " ";
    }
    return uids;
  };
  EXPECT_EQ(owners(config_of({owner_with("a")}), config_of({owner_with("a"), owner_with("b", true)})), "unchanged");
  EXPECT_EQ(
      owners(config_of({owner_with("b", true), owner_with("a")}), config_of({owner_with("a"), owner_with("b", true)})),
      "unchanged");
  EXPECT_EQ(owners(config_of({}), config_of({owner_with("b", true)})), "unchanged");
  EXPECT_EQ(owners(config("a"), config_of({owner_with("b", true)})), "unchanged");
  EXPECT_EQ(owners(config_of({owner_with("c"), owner_with("a", true)}), config_of({owner_with("a"), owner_with("b")})),
            "a! b c ");
  EXPECT_EQ(owners(config_of({owner_with("c", true)}), config_of({owner_with("a"), owner_with("b", true)})), "a c! ")
      << "an object has one controller";
}

// Otherwise, the patch that removes the last label or annotation of the expected object would remove all of them.
TEST(ListDiff, RemovesOnlyOurLastLabelAndAnnotation) {
  json::Value once = config("a");
  ASSERT_TRUE(json::set(once, "/metadata/labels/once", "1"));
  ASSERT_TRUE(json::set(once, "/metadata/annotations/once", "1"));
  json::Value object = with_phase(there(once).to_value(), "A");

  const auto diff = diff_lists({config("a")}, {Object(object)}, {}, "A");

  ASSERT_TRUE(diff);
  ASSERT_EQ(diff->update.size(), 1U);
  json::apply_merge_patch(object, diff->update[0].patch);
  const Object updated(object);
  EXPECT_EQ(updated.labels().to_value(), *json::parse(R"({"pintle.dev/phase":"A"})"));
  EXPECT_EQ(updated.annotations().size(), 1U) << updated.print();
  EXPECT_FALSE(updated.annotation(last_applied_annotation).empty());
  EXPECT_EQ(summary(diff_lists({config("a")}, {updated}, {}, "A")), "") << "done";
}

TEST(ListDiff, ThePhaseLabelIsComparedAlsoIfLabelsAreIgnored) {
  const DiffOptions ignore{.pointers = {"/metadata/labels", "/metadata/annotations"}};
  json::Value object = there(config("a")).to_value();
  const auto diff = diff_lists({config("a")}, {Object(object)}, ignore, "A");
  ASSERT_EQ(summary(diff), "update v1 ConfigMap default/a\n");
  json::apply_merge_patch(object, diff->update[0].patch);
  EXPECT_EQ(Object(object).label(phase_label), "A");
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(object)}, ignore, "A")), "") << "once";
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(object)}, ignore, "B")), "update v1 ConfigMap default/a\n");
  EXPECT_EQ(summary(diff_lists({}, {Object(object)}, ignore, "A")), "delete v1 ConfigMap default/a\n");
  const auto of_others = diff_lists({}, {Object(object)}, ignore, "B");
  EXPECT_EQ(summary(of_others), "");
  EXPECT_EQ(of_others->unclaimed.size(), 1U);
}

// The annotation as earlier versions wrote it.
TEST(ListDiff, ReadsTheAnnotationOfEarlierVersions) {
  json::Value object = there(config("a", {{"ours", "1"}, {"once", "1"}})).to_value();
  json::Value whole(json::print(config("a", {{"ours", "0"}, {"once", "1"}})));
  ASSERT_TRUE(json::set(object, "/metadata/annotations/pintle.dev~1last-applied", whole));
  const auto diff = diff_lists({config("a", {{"ours", "1"}})}, {Object(object)});
  ASSERT_TRUE(diff);
  ASSERT_EQ(diff->update.size(), 1U);
  EXPECT_EQ(*json::find(diff->update[0].patch, "/data"), *json::parse(R"({"once":null})"));
  EXPECT_EQ(summary(diff_lists({config("a", {{"ours", "1"}, {"once", "1"}})}, {Object(object)})), "")
      << "it contains the same members";
}

TEST(ListDiff, TheAnnotationContainsMembersInListsAndNoValues) {
  json::Value expected = config("a", {{"text", "secret"}, {"none", nullptr}});
  ASSERT_TRUE(
      json::set(expected, "/spec", *json::parse(R"({"ports":[{"name":"a","port":1},{"name":"b"}],"args":["x"]})")));
  const Object with(with_last_applied(expected));
  EXPECT_EQ(*json::parse(with.annotation(last_applied_annotation)),
            *json::parse(R"({"apiVersion":0,"kind":0,"metadata":{"name":0,"namespace":0},"data":{"text":0},
                             "spec":{"ports":[{"name":0,"port":0},{"name":0}],"args":0}})"));
}

TEST(PhaseLabel, IsTheNameIfItIsALabelValue) {
  EXPECT_EQ(phase_label_value("Volumes"), "Volumes");
  EXPECT_EQ(phase_label_value(std::string(63, 'a')), std::string(63, 'a'));
}

// Objects in clusters have this value, so it must never change.
TEST(PhaseLabel, IsBoundedAndStableForEveryName) {
  EXPECT_EQ(phase_label_value("two words"), "xtwo-words-ccb500272bebfeac");
  for (const std::string& name : {std::string(64, 'a'), std::string(64, 'a') + "b", std::string("-"),
                                  std::string("\xC3\xA9t\xC3\xA9"), std::string(5000, '/')}) {
    const std::string mark = phase_label_value(name);
    EXPECT_LE(mark.size(), 63U) << name;
    EXPECT_EQ(names::validate_label_value(mark), std::nullopt) << mark;
  }
  EXPECT_NE(phase_label_value(std::string(64, 'a')), phase_label_value(std::string(65, 'a')));
}

TEST(ListDiff, IgnoresTheGivenPointers) {
  json::Value object = there(config("a", {{"a", "1"}, {"scale", "5"}})).to_value();
  EXPECT_EQ(
      summary(diff_lists({config("a", {{"a", "1"}, {"scale", "1"}})}, {Object(object)}, {.pointers = {"/data/scale"}})),
      "");
  json::Value expected = config("a", {{"a", "1"}, {"scale", "5"}});
  ASSERT_TRUE(json::set(expected, "/status/ok", false));
  EXPECT_EQ(summary(diff_lists({expected}, {Object(object)})), "");
  EXPECT_EQ(summary(diff_lists({expected}, {Object(object)}, {.status = false})), "update v1 ConfigMap default/a\n");
}

// A merge patch replaces a list as a whole, so it contains the ignored members too.
TEST(ListDiff, AnIgnoredMemberOfAListKeepsItsValue) {
  const auto pod = [](const std::string& containers) {
    json::Value object = config("a");
    (void)json::set(object, "/spec/containers", *json::parse(containers));
    return object;
  };
  const auto patched = [&](const std::string& expected, const std::string& is, std::vector<std::string> pointers) {
    json::Value object = there(pod(is)).to_value();
    const DiffOptions ignore{.pointers = std::move(pointers)};
    const auto diff = diff_lists({pod(expected)}, {Object(object)}, ignore);
    if (!diff) return diff.error().to_string();
    if (diff->update.empty()) return std::string("unchanged");
    json::apply_merge_patch(object, diff->update[0].patch);
    EXPECT_EQ(summary(diff_lists({pod(expected)}, {Object(object)}, ignore)), "") << "done";
    return json::print(*json::find(object, "/spec/containers"));
  };
  const std::string cpu = "/spec/containers/0/cpu";
  EXPECT_EQ(patched(R"([{"image":"b","cpu":1}])", R"([{"image":"a","cpu":5}])", {cpu}), R"([{"image":"b","cpu":5}])");
  EXPECT_EQ(patched(R"([{"image":"b"}])", R"([{"image":"a","cpu":5}])", {cpu}), R"([{"image":"b","cpu":5}])");
  EXPECT_EQ(patched(R"([{"image":"b","cpu":1}])", R"([{"image":"a"}])", {cpu}), R"([{"image":"b"}])");
  EXPECT_EQ(patched(R"([{"image":"a","cpu":1}])", R"([{"image":"a","cpu":5}])", {cpu}), "unchanged");
  EXPECT_EQ(patched(R"([{"image":"a"}])", R"([{"image":"a"},{"image":"sidecar"}])", {"/spec/containers/1"}),
            R"([{"image":"a"},{"image":"sidecar"}])")
      << "only the annotation is updated";
  EXPECT_EQ(patched(R"([{"image":"b"}])", R"([{"image":"a"},{"image":"sidecar"}])", {"/spec/containers/1"}),
            R"([{"image":"b"},{"image":"sidecar"}])");
  EXPECT_EQ(patched(R"([{"image":"b"}])", R"([{"image":"a"},{"cpu":5}])", {"/spec/containers/1/cpu"}),
            R"([{"image":"b"}])")
      << "the element around the ignored member is not expected";
}

TEST(ListDiff, AnIgnoredMemberStaysWhenTheObjectAroundItIsNoLongerExpected) {
  json::Value object = there(config("a", {{"once", "1"}, {"scale", "5"}})).to_value();
  json::Value expected = config("a");
  json::erase(expected, "/data");
  const auto diff = diff_lists({expected}, {Object(object)}, {.pointers = {"/data/scale"}});
  ASSERT_TRUE(diff);
  ASSERT_EQ(diff->update.size(), 1U);
  json::apply_merge_patch(object, diff->update[0].patch);
  EXPECT_EQ(*json::find(object, "/data"), *json::parse(R"({"scale":"5"})"));
}

// The next diff compares with the annotation.
TEST(ListDiff, AnEqualObjectGetsTheAnnotationOfItsNewMembers) {
  json::Value object = there(config("a", {{"first", "1"}})).to_value();
  ASSERT_TRUE(json::set(object, "/data/second", "1"));
  const auto update = [&](const json::Value& expected) {
    const auto diff = diff_lists({expected}, {Object(object)});
    ASSERT_TRUE(diff);
    ASSERT_EQ(diff->update.size(), 1U);
    json::apply_merge_patch(object, diff->update[0].patch);
    EXPECT_EQ(summary(diff_lists({expected}, {Object(object)})), "") << "once";
  };
  update(config("a", {{"first", "1"}, {"second", "1"}}));
  update(config("a", {{"first", "1"}}));
  EXPECT_EQ(*json::find(object, "/data"), *json::parse(R"({"first":"1"})")) << "a member that was expected";

  json::erase(object, "/data/first");
  update(config("a"));
  ASSERT_TRUE(json::set(object, "/data/first", "theirs"));
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(object)})), "") << "another client has added it";
}

TEST(ListDiff, TheAnnotationOfListsInListsIsWrittenOnce) {
  json::Value expected = config("a");
  ASSERT_TRUE(json::set(expected, "/spec", *json::parse(R"({"table":[["x"],["y"]],"ports":[{"port":[1]}],"no":[]})")));
  EXPECT_EQ(summary(diff_lists({expected}, {there(expected)})), "");
}

TEST(ListDiff, SkipsObjectsThatAreBeingDeleted) {
  json::Value object = there(config("a", {{"a", "1"}})).to_value();
  ASSERT_TRUE(json::set(object, "/metadata/deletionTimestamp", "2024-01-01T00:00:00Z"));
  EXPECT_EQ(summary(diff_lists({}, {Object(object)})), "");
  const auto diff = diff_lists({config("a")}, {Object(object)});
  ASSERT_TRUE(diff);
  EXPECT_TRUE(diff->create.empty() && diff->update.empty() && diff->remove.empty());
  EXPECT_TRUE(diff->summary().need_update);
  EXPECT_EQ(diff->summary().diff, "wait for the deletion of v1 ConfigMap default/a\n");
}

TEST(ListDiff, ComparesObjectsWithoutOurAnnotation) {
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(config("a", {{"theirs", "1"}}))})), "");
  json::Value broken = config("a");
  ASSERT_TRUE(json::set(broken, "/metadata/annotations/pintle.dev~1last-applied", "{"));
  EXPECT_EQ(summary(diff_lists({config("a")}, {Object(broken)})), "");
}

TEST(ListDiff, RefusesObjectsWithoutIdentityAndDuplicates) {
  EXPECT_THAT(summary(diff_lists({json::object{{"kind", "ConfigMap"}}}, {})),
              HasSubstr("needs apiVersion, kind and metadata.name"));
  EXPECT_THAT(summary(diff_lists({json::Value("text")}, {})), HasSubstr("needs apiVersion"));
  EXPECT_THAT(summary(diff_lists({config("a"), config("a")}, {})),
              HasSubstr("two expected objects are the same: v1 ConfigMap default/a"));
  EXPECT_THAT(summary(diff_lists({}, {}, {.pointers = {"data"}})), HasSubstr("DiffOptions"));
}

}  // namespace
}  // namespace pintle::phased
