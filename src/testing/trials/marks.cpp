// SPDX-License-Identifier: Apache-2.0
#include "marks.hpp"

#include <charconv>
#include <utility>

namespace pintle::testkit {
namespace {

std::uint64_t version_of(const Object& object) {
  const std::string_view text = object.resource_version();
  std::uint64_t version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

bool has_mark_finalizer(const Object& object) {
  for (const json::View one : object.finalizers().elements()) {
    if (one == mark_finalizer) return true;
  }
  return false;
}

json::array other_finalizers(const Object& object) {
  json::array others;
  for (const json::View one : object.finalizers().elements()) {
    if (one != mark_finalizer) others.emplace_back(one.text());
  }
  return others;
}

json::Value patch_of_finalizers(const Object& object, json::array finalizers) {
  return {{"metadata", {{"resourceVersion", object.resource_version()}, {"finalizers", std::move(finalizers)}}}};
}

}  // namespace

json::Value Marks::patch_to_mark(const Object& object) {
  json::array finalizers = other_finalizers(object);
  finalizers.emplace_back(mark_finalizer);
  json::Value patch = patch_of_finalizers(object, std::move(finalizers));
  json::object& metadata = patch.as_object()["metadata"].as_object();
  metadata["labels"] = json::object{{mark_label, "a"}};
  metadata["annotations"] = json::object{{mark_annotation, "do not remove"}};
  return patch;
}

json::Value Marks::patch_to_release(const Object& object) {
  return patch_of_finalizers(object, other_finalizers(object));
}

void Marks::note(const StoredKey& key, const Object& marked) {
  marked_[key] = {.uid = std::string(marked.uid()),
                  .version = version_of(marked),
                  .has_label = !marked.label(mark_label).empty(),
                  .has_annotation = !marked.annotation(mark_annotation).empty(),
                  .has_finalizer = has_mark_finalizer(marked)};
}

void Marks::release(const StoredKey& key) {
  if (const auto found = marked_.find(key); found != marked_.end()) found->second.has_finalizer = false;
}

std::set<StoredKey> Marks::keys() const {
  std::set<StoredKey> keys;
  for (const auto& [key, marked] : marked_) keys.insert(key);
  return keys;
}

std::optional<std::string> Marks::missing(const StoredKey& key, const Object& written) const {
  const auto found = marked_.find(key);
  if (found == marked_.end() || written.uid() != found->second.uid) return std::nullopt;
  const Marked& marked = found->second;
  if (version_of(written) < marked.version) return std::nullopt;
  const auto named = [](const char* what, std::string_view name) { return what + std::string(name); };
  if (marked.has_finalizer && !has_mark_finalizer(written)) return named("the finalizer ", mark_finalizer);
  if (marked.has_label && written.label(mark_label).empty()) return named("the label ", mark_label);
  if (marked.has_annotation && written.annotation(mark_annotation).empty()) {
    return named("the annotation ", mark_annotation);
  }
  return std::nullopt;
}

}  // namespace pintle::testkit
