// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/patch_paths.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/json/pointer.hpp>
#include <pintle/patterns/watcher/common_metadata.hpp>

namespace pintle::watcher {
namespace {

// The members of ObjectMeta.
constexpr std::array<std::string_view, 15> metadata_members{
    "name",       "generateName",      "namespace",    "selfLink",          "uid",         "resourceVersion",
    "generation", "creationTimestamp", "labels",       "deletionTimestamp", "annotations", "deletionGracePeriodSeconds",
    "finalizers", "ownerReferences",   "managedFields"};

struct PatchPlace {
  std::string path{};
  bool is_annotation = false;
};

std::string joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += (text.empty() ? "" : "/") + token;
  return text;
}

Result<PatchPlace> translate_path(std::string_view path) {
  auto tokens = json::split_pointer(path);
  if (!tokens) return fail(std::move(tokens.error()));
  if (tokens->empty() || tokens->front() != "metadata") return PatchPlace{std::string(path)};
  tokens->erase(tokens->begin());
  while (!tokens->empty() && tokens->back().empty()) tokens->pop_back();
  if (tokens->empty()) return fail(ErrorCode::invalid, "cannot patch the entire metadata; patch its members");
  if (std::find(metadata_members.begin(), metadata_members.end(), tokens->front()) != metadata_members.end()) {
    return PatchPlace{std::string(path)};
  }
  if (tokens->front() != "extraFields") {
    return PatchPlace{"/metadata/annotations/" + json::escape_token(std::string(annotation_prefix) + joined(*tokens)),
                      true};
  }
  tokens->erase(tokens->begin());
  if (tokens->empty()) return fail(ErrorCode::invalid, "cannot patch the entire extraFields; patch its members");
  PatchPlace place{"/metadata"};
  for (const std::string& token : *tokens) place.path += "/" + json::escape_token(token);
  return place;
}

Result<void> translate_operation(json::Value& operation) {
  if (!operation.is_object()) return fail(ErrorCode::invalid, "is not an object");
  json::object& members = operation.as_object();
  for (const char* member : {"path", "from"}) {
    json::Value* path = members.if_contains(member);
    if (path == nullptr && std::string_view(member) == "from") continue;
    if (path == nullptr || !path->is_string()) {
      return fail(ErrorCode::invalid, std::string(member) + ": missing, or not a string");
    }
    auto place = translate_path(std::string_view(path->get_string()));
    if (!place) return fail(std::move(place.error()));
    *path = place->path;
    const json::Value* op = members.if_contains("op");
    if (place->is_annotation && op != nullptr && *op == "replace") members["op"] = "add";
  }
  return {};
}

}  // namespace

Result<json::Patch> translate_patch_paths(json::Patch patch) {
  std::size_t number = 0;
  for (json::Value& one : patch.operations) {
    ++number;
    auto done = translate_operation(one);
    if (!done) {
      done.error().message = "operation " + std::to_string(number) + ": " + done.error().message;
      return fail(std::move(done.error()));
    }
  }
  return patch;
}

}  // namespace pintle::watcher
