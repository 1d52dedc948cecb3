// SPDX-License-Identifier: Apache-2.0
#include "metadata.hpp"

#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "names/name_rules.hpp"
#include "values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::size_t max_annotations_size = std::size_t{256} << 10U;

std::optional<std::string> first_of(const TextErrors& errors) {
  if (errors.empty()) return std::nullopt;
  return errors.front();
}

void check_labels(const Value& object, std::vector<StatusCause>& causes) {
  const Value* labels = json::find(object, "/metadata/labels");
  if (labels == nullptr || !labels->is_object()) return;
  for (const auto& [key, value] : labels->get_object()) {
    const std::string_view name = key;
    add_errors("metadata.labels", name, label_key_errors(name), causes);
    add_errors("metadata.labels", text_at(value, ""), label_value_errors(text_at(value, "")), causes);
  }
}

void check_annotations(const Value& object, std::vector<StatusCause>& causes) {
  const Value* annotations = json::find(object, "/metadata/annotations");
  if (annotations == nullptr || !annotations->is_object()) return;
  std::size_t size = 0;
  for (const auto& [key, value] : annotations->get_object()) {
    const std::string_view name = key;
    size += name.size() + text_at(value, "").size();
    add_errors("metadata.annotations", name, label_key_errors(to_lower_ascii(name)), causes);
  }
  if (size > max_annotations_size) {
    causes.push_back({.reason = "FieldValueTooLong",
                      .message = fmt::format("Too long: may not be more than {} bytes", max_annotations_size),
                      .field = "metadata.annotations"});
  }
}

void check_owners(const Value& object, std::vector<StatusCause>& causes) {
  const Value* owners = json::find(object, "/metadata/ownerReferences");
  if (owners == nullptr || !owners->is_array()) return;
  int controllers = 0;
  for (const Value& owner : owners->get_array()) {
    for (const char* name : {"apiVersion", "kind", "name", "uid"}) {
      if (!text_at(owner, std::string("/") + name).empty()) continue;
      const bool version = std::string_view(name) == "apiVersion";
      causes.push_back(invalid_value(fmt::format("metadata.ownerReferences.{}", name), Value(""),
                                     version ? "version must not be empty" : "must not be empty"));
    }
    const Value* controller = member(owner, "controller");
    if (controller != nullptr && controller->is_bool() && controller->get_bool()) ++controllers;
  }
  if (controllers > 1) {
    causes.push_back(
        invalid_value("metadata.ownerReferences", *owners, "Only one reference can have Controller set to true"));
  }
}

bool is_standard_finalizer(std::string_view name) {
  return name == "orphan" || name == "foregroundDeletion" || name == "kubernetes";
}

// Finalizers of custom kinds and definitions need no slash in their names.
bool allows_plain_finalizers(const Resource& resource) {
  return resource.custom || resource.group == "apiextensions.k8s.io";
}

void check_finalizers(const Value& object, const Resource& resource, std::vector<StatusCause>& causes) {
  const Value* finalizers = json::find(object, "/metadata/finalizers");
  if (finalizers == nullptr || !finalizers->is_array()) return;
  const json::array& list = finalizers->get_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view name = text_at(list[i], "");
    add_errors("metadata.finalizers", name, label_key_errors(name), causes);
    if (!allows_plain_finalizers(resource) && name.find('/') == std::string_view::npos &&
        !is_standard_finalizer(name)) {
      causes.push_back(invalid_value(fmt::format("metadata.finalizers[{}]", i), list[i],
                                     "name is neither a standard finalizer name nor is it fully qualified"));
    }
  }
}

void check_no_new_finalizers(const Value& next, const Value& old, std::vector<StatusCause>& causes) {
  if (text_at(old, "/metadata/deletionTimestamp").empty()) return;
  const Value* finalizers = json::find(next, "/metadata/finalizers");
  if (finalizers == nullptr || !finalizers->is_array()) return;
  const Value* before = json::find(old, "/metadata/finalizers");
  std::unordered_set<std::string_view> known;
  if (before != nullptr && before->is_array()) {
    for (const Value& name : before->get_array()) known.insert(text_at(name, ""));
  }
  std::string added;
  for (const Value& item : finalizers->get_array()) {
    const std::string_view name = text_at(item, "");
    if (!known.contains(name)) added += fmt::format("{}\"{}\"", added.empty() ? "" : ", ", name);
  }
  if (added.empty()) return;
  causes.push_back(forbidden_field(
      "metadata.finalizers",
      fmt::format("no new finalizers can be added if the object is being deleted, found new finalizers {}", added)));
}

void check_immutable(const Value& next, const Value& old, std::vector<StatusCause>& causes) {
  for (const char* name :
       {"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    const std::string pointer = std::string("/metadata/") + name;
    const Value* was = json::find(old, pointer);
    const Value* is = json::find(next, pointer);
    if (is == was || (is != nullptr && was != nullptr && json::equal(*is, *was))) continue;
    causes.push_back(immutable_field(std::string("metadata.") + name, is == nullptr ? Value() : *is));
  }
}

}  // namespace

std::optional<std::string> subdomain_error(std::string_view name) { return first_of(subdomain_errors(name)); }
std::optional<std::string> label_error(std::string_view name) { return first_of(dns_label_errors(name)); }
std::optional<std::string> dns1035_label_error(std::string_view name) { return first_of(dns1035_label_errors(name)); }
std::optional<std::string> qualified_name_error(std::string_view name) { return first_of(label_key_errors(name)); }

void validate_labels_and_annotations(const Value& object, std::vector<StatusCause>& causes) {
  check_labels(object, causes);
  check_annotations(object, causes);
}

void validate_metadata(const Value& object, const Resource& resource, std::vector<StatusCause>& causes) {
  const std::string_view name = text_at(object, "/metadata/name");
  if (name.empty()) {
    causes.push_back(required("metadata.name", "name or generateName is required"));
  } else if (const auto error = resource.strategy->validate_name(name)) {
    causes.push_back(invalid_value("metadata.name", Value(name), *error));
  }
  validate_labels_and_annotations(object, causes);
  check_owners(object, causes);
  check_finalizers(object, resource, causes);
}

void validate_metadata_change(const Value& next, const Value& old, const Resource& resource,
                              std::vector<StatusCause>& causes) {
  std::vector<StatusCause> once;
  check_no_new_finalizers(next, old, once);
  check_immutable(next, old, once);
  check_labels(next, once);
  check_annotations(next, once);
  check_owners(next, once);
  for (int time = 0; time < 2; ++time) causes.insert(causes.end(), once.begin(), once.end());
  std::vector<StatusCause> formed;
  check_finalizers(next, resource, formed);
  causes.insert(causes.end(), formed.begin(), formed.end());
}

}  // namespace pintle::apiserver
