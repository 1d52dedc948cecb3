// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/patch_paths.hpp>

#include <string>

#include <gtest/gtest.h>

#include <pintle/patterns/watcher/common_metadata.hpp>

namespace pintle::watcher {
namespace {

// Returns the operations as JSON, or the message of the error.
std::string translated(json::Patch patch) {
  const auto made = translate_patch_paths(std::move(patch));
  return made ? json::print(json::Value(made->operations)) : made.error().message;
}

std::string replaced(const std::string& path) { return translated(json::Patch{}.replace(path, "v")); }

std::string operation(const std::string& op, const std::string& path) {
  return R"([{"op":")" + op + R"(","path":")" + path + R"(","value":"v"}])";
}

// The table of the paths (T4-35).
TEST(PatchPaths, OfMetadataBecomeThoseOfKubernetes) {
  const std::pair<std::string, std::string> unchanged_or_moved[] = {
      // Outside of the metadata.
      {"", ""},
      {"/spec/createdBy", "/spec/createdBy"},
      {"/metadatas/x", "/metadatas/x"},
      {"/spec/metadata/x", "/spec/metadata/x"},
      // Below extraFields.
      {"/metadata/extraFields/generation", "/metadata/generation"},
      {"/metadata/extraFields/managedFields/manager", "/metadata/managedFields/manager"},
      {"/metadata/extraFields/labels/a~1b", "/metadata/labels/a~1b"},
      {"/metadata/extraFields/foo", "/metadata/foo"},
  };
  for (const auto& [path, expected] : unchanged_or_moved) EXPECT_EQ(replaced(path), operation("replace", expected));
}

// Members of the metadata of Kubernetes stay as they are (T4-35).
TEST(PatchPaths, OfStandardMetadataStay) {
  for (const std::string member : {"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion",
                                   "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
                                   "labels", "annotations", "ownerReferences", "finalizers", "managedFields"}) {
    EXPECT_EQ(replaced("/metadata/" + member), operation("replace", "/metadata/" + member));
    EXPECT_EQ(replaced("/metadata/" + member + "/a~1b/0"), operation("replace", "/metadata/" + member + "/a~1b/0"));
  }
}

// Other metadata is in annotations, which may be missing, so `replace` would fail (T4-35).
TEST(PatchPaths, OfOtherMetadataBecomeAnnotationsThatAreAdded) {
  EXPECT_EQ(created_by_annotation, std::string(annotation_prefix) + "createdBy");
  EXPECT_EQ(replaced("/metadata/createdBy"), operation("add", "/metadata/annotations/grafana.com~1createdBy"));
  EXPECT_EQ(replaced("/metadata/custom/key"), operation("add", "/metadata/annotations/grafana.com~1custom~1key"));
  EXPECT_EQ(replaced("/metadata/a~1b~0c/"), operation("add", "/metadata/annotations/grafana.com~1a~1b~0c"));
  EXPECT_EQ(translated(json::Patch{}.remove("/metadata/updatedBy")),
            R"([{"op":"remove","path":"/metadata/annotations/grafana.com~1updatedBy"}])");
  EXPECT_EQ(translated(json::Patch{}.test("/metadata/updatedBy", "v")),
            operation("test", "/metadata/annotations/grafana.com~1updatedBy"));
  EXPECT_EQ(translated(json::Patch{}.move("/metadata/createdBy", "/metadata/extraFields/labels/by")),
            R"([{"op":"move","path":"/metadata/labels/by","from":"/metadata/annotations/grafana.com~1createdBy"}])");
}

// All operations are translated, in their order (T4-35).
TEST(PatchPaths, OfSeveralOperationsAreAllTranslated) {
  EXPECT_EQ(translated(json::Patch{}.replace("/metadata/createdBy", "a").add("/metadata/finalizers", "b")),
            R"([{"op":"add","path":"/metadata/annotations/grafana.com~1createdBy","value":"a"},)"
            R"({"op":"add","path":"/metadata/finalizers","value":"b"}])");
}

// The original dropped a value that was empty, false or zero (B18).
TEST(PatchPaths, ValuesStayAlsoIfTheyAreEmpty) {
  const json::Value values[] = {"", false, 0, nullptr, json::array{}, json::object{}};
  for (const json::Value& value : values) {
    EXPECT_EQ(
        translated(json::Patch{}.replace("/metadata/createdBy", value)),
        R"([{"op":"add","path":"/metadata/annotations/grafana.com~1createdBy","value":)" + json::print(value) + "}]");
  }
}

// Neither the whole metadata nor all extra fields can be patched (T4-35).
TEST(PatchPaths, OfWholeObjectsAreErrors) {
  const std::string whole = "operation 1: cannot patch the entire metadata; patch its members";
  const std::string extra = "operation 1: cannot patch the entire extraFields; patch its members";
  EXPECT_EQ(replaced("/metadata"), whole);
  EXPECT_EQ(replaced("/metadata/"), whole);
  EXPECT_EQ(replaced("/metadata/extraFields"), extra);
  EXPECT_EQ(replaced("/metadata/extraFields/"), extra);
  EXPECT_EQ(translated(json::Patch{}.add("/spec", 1).copy("/metadata", "/spec")),
            "operation 2: cannot patch the entire metadata; patch its members");
}

TEST(PatchPaths, OfMalformedOperationsAreErrors) {
  EXPECT_EQ(translated({.operations = {json::object{{"op", "add"}}}}), "operation 1: path: missing, or not a string");
  EXPECT_EQ(translated({.operations = {json::object{{"op", "move"}, {"path", "/a"}, {"from", 1}}}}),
            "operation 1: from: missing, or not a string");
  EXPECT_EQ(translated({.operations = {7}}), "operation 1: is not an object");
  EXPECT_NE(replaced("metadata/x").find("operation 1: "), std::string::npos);
}

}  // namespace
}  // namespace pintle::watcher
