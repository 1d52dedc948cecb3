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
  if (options.controller) {
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
    return refuse(fmt::format("a child of {} {} lives in its namespace: leave metadata.namespace out", workspace.kind(),
                              workspace.key().to_string()));
  }
  if (const auto fault = names::label_value_fault(workspace.name())) {
    return refuse(fmt::format("the label {} with the name of its workspace {}", instance_label, *fault));
  }
  json::Value owned = child.is_object() ? child : json::Value(json::object());
  json::object& metadata = object_at(owned.get_object(), "metadata");
  if (!home.empty()) metadata["namespace"] = home;
  object_at(metadata, "labels")[instance_label] = workspace.name();
  add_owner(metadata, workspace, options);
  return owned;
}

}  // namespace pintle::guard
