// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/names.hpp>

namespace pintle::guard {
namespace {

json::object& object_at(json::object& owner, std::string_view name) {
  json::Value& there = owner[name];
  if (!there.is_object()) there.emplace_object();
  return there.get_object();
}

json::Value reference_to(const Object& workspace, CreateOptions options) {
  json::object reference{{"apiVersion", workspace.api_version()},
                         {"kind", workspace.kind()},
                         {"name", workspace.name()},
                         {"uid", workspace.uid()}};
  if (options.controller.value_or(false)) {
    reference["controller"] = true;
    reference["blockOwnerDeletion"] = true;
  }
  return reference;
}

void add_owner(json::object& metadata, const Object& workspace, CreateOptions options) {
  json::Value& owners = metadata["ownerReferences"];
  if (!owners.is_array()) owners.emplace_array();
  json::array& list = owners.get_array();
  const json::Value uid(workspace.uid());
  const auto is_workspace = [&](const json::Value& one) {
    const json::Value* its = one.is_object() ? one.get_object().if_contains("uid") : nullptr;
    return its != nullptr && *its == uid;
  };
  if (std::none_of(list.begin(), list.end(), is_workspace)) list.push_back(reference_to(workspace, options));
}

}  // namespace

Result<json::Value> child_of(const Object& workspace, const std::string& instance_label, const json::Value& child,
                             CreateOptions options) {
  const Object given{json::Value(child)};
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::invalid,
                fmt::format("create {} {}: {}", given.group_version_kind().to_string(), given.key().to_string(), why));
  };
  const std::string_view home = workspace.namespace_();
  if (!home.empty() && !given.namespace_().empty() && given.namespace_() != home) {
    return refuse(fmt::format("a child of {} {} must be in the namespace of its workspace: omit metadata.namespace",
                              workspace.kind(), workspace.key().to_string()));
  }
  if (const auto error = names::validate_label_value(workspace.name())) {
    return refuse(fmt::format("the label {} is the name of the workspace, which {}", instance_label, *error));
  }
  json::Value owned = child.is_object() ? child : json::Value(json::object());
  json::object& metadata = object_at(owned.get_object(), "metadata");
  if (!home.empty()) metadata["namespace"] = home;
  object_at(metadata, "labels")[instance_label] = workspace.name();
  add_owner(metadata, workspace, options);
  return owned;
}

bool has_controller(const Object& child) {
  for (const json::View owner : child.owner_references().elements()) {
    if (owner.member("controller") == true) return true;
  }
  return false;
}

Result<void> check_child(const Object& workspace, const std::string& instance_label, const Object& there,
                         Error exists) {
  const std::string child = fmt::format("{} {}", there.kind(), there.key().to_string());
  const std::string owner = fmt::format("{} {}", workspace.kind(), workspace.key().to_string());
  if (there.is_deleting()) {
    return fail(ErrorCode::unavailable, "create " + child + ": an object of this name exists and is being deleted");
  }
  bool is_owner = false;
  bool was_owner = false;
  for (const json::View one : there.owner_references().elements()) {
    is_owner = is_owner || one.member("uid") == workspace.uid();
    was_owner = was_owner || (one.member("kind") == workspace.kind() && one.member("name") == workspace.name());
  }
  const bool has_label = there.label(instance_label) == workspace.name();
  if (is_owner && has_label) return {};
  if (!is_owner && was_owner && has_label) {
    return fail(ErrorCode::unavailable, "create " + child + ": an object of this name exists, belongs to a former " +
                                            owner + ", and will be deleted soon");
  }
  exists.message =
      fmt::format("{} exists and is not a child of {}, because {}: remove it, or choose another name", child, owner,
                  is_owner ? "it does not have the label " + instance_label : "its owner references do not name it");
  return fail(std::move(exists));
}

}  // namespace pintle::guard
