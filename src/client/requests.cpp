// SPDX-License-Identifier: Apache-2.0
#include "requests.hpp"

#include <algorithm>

#include <pintle/base/text.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

namespace {

std::string_view to_text(DeletionPropagation propagation) {
  switch (propagation) {
    case DeletionPropagation::foreground: return "Foreground";
    case DeletionPropagation::orphan: return "Orphan";
    case DeletionPropagation::background: break;
  }
  return "Background";
}

// API servers reject other names before any further validation.
bool is_path_segment(std::string_view name) {
  return name != "." && name != ".." && name.find_first_of("/%") == std::string_view::npos;
}

std::string_view to_text(FieldValidation validation) {
  switch (validation) {
    case FieldValidation::ignore: return "Ignore";
    case FieldValidation::warn: return "Warn";
    case FieldValidation::strict: return "Strict";
    case FieldValidation::server_default: break;
  }
  return "";
}

Error bad_key(const Resource& resource, const std::string& what) {
  return make_error(ErrorCode::invalid, resource.to_string() + ": " + what);
}

}  // namespace

std::optional<std::string> version_named_in(const json::Value& body) {
  const json::Value* version = json::find(body, "/metadata/resourceVersion");
  if (version == nullptr || !version->is_string() || version->get_string().empty()) return {};
  return std::string(version->get_string());
}

std::optional<std::string> version_tested_by(const json::Patch& patch) {
  const json::Document operations{json::Value(patch.operations)};
  for (const json::View one : operations.root().elements()) {
    if (one.member("op") == "test" && one.member("path") == "/metadata/resourceVersion") {
      return std::string(one.member("value").text());
    }
  }
  return {};
}

Query& Query::add(std::string_view name, std::string_view value) {
  if (value.empty()) return *this;
  text_ += text_.empty() ? '?' : '&';
  text_.append(name).append("=").append(http::percent_encode(value));
  return *this;
}

Query list_query(const ListOptions& options) {
  return Query()
      .add("labelSelector", options.label_selector)
      .add("fieldSelector", options.field_selector)
      .add("limit", options.limit == 0 ? "" : std::to_string(options.limit))
      .add("continue", options.continue_)
      .add("resourceVersion", options.resource_version)
      .add("resourceVersionMatch", options.resource_version_match);
}

Query watch_query(const WatchOptions& options) {
  return Query()
      .add("watch", "true")
      .add("allowWatchBookmarks", "true")
      .add("sendInitialEvents", options.send_initial_events ? "true" : "")
      .add("resourceVersionMatch", options.send_initial_events ? "NotOlderThan" : "")
      .add("labelSelector", options.label_selector)
      .add("fieldSelector", options.field_selector)
      .add("resourceVersion", options.resource_version)
      .add("timeoutSeconds", std::to_string(options.timeout.count()));
}

Query write_query(const WriteOptions& options, const std::string& field_manager) {
  return Query()
      .add("fieldManager", options.field_manager.empty() ? field_manager : options.field_manager)
      .add("dryRun", options.dry_run ? "All" : "")
      .add("fieldValidation", to_text(options.field_validation));
}

Query selection_query(const Selection& selection) {
  return Query().add("labelSelector", selection.label_selector).add("fieldSelector", selection.field_selector);
}

Query log_query(const LogOptions& options) {
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : std::string(); };
  return Query()
      .add("container", options.container)
      .add("follow", options.follow ? "true" : "")
      .add("previous", options.previous ? "true" : "")
      .add("timestamps", options.timestamps ? "true" : "")
      .add("sinceSeconds", options.since ? std::to_string(options.since->count()) : "")
      .add("tailLines", number(options.tail_lines))
      .add("limitBytes", number(options.max_bytes));
}

json::object delete_options(const DeleteOptions& options) {
  json::object body{
      {"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"propagationPolicy", to_text(options.propagation)}};
  if (options.grace_period) body["gracePeriodSeconds"] = options.grace_period->count();
  if (options.dry_run) body["dryRun"] = json::array{"All"};
  json::object preconditions;
  if (!options.uid.empty()) preconditions["uid"] = options.uid;
  if (!options.resource_version.empty()) preconditions["resourceVersion"] = options.resource_version;
  if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
  return body;
}

Error lacks_subresource(const Resource& resource, std::string_view name, std::string_view verb) {
  Error error = make_error(ErrorCode::unsupported,
                           resource.to_string() + " " + std::string(verb) + " " + std::string(name) + " subresource");
  error.reason = no_subresource;
  return error;
}

std::string describe_call(std::string_view verb, const GroupVersionKind& kind, const ObjectKey& key) {
  std::string text = std::string(verb) + " " + to_lower_ascii(kind.kind);
  if (!key.name.empty()) return text + " " + key.to_string();
  return key.namespace_.empty() ? text : text + " in " + key.namespace_;
}

Result<void> check_object_key(const Resource& resource, const ObjectKey& key) {
  if (key.name.empty()) return bad_key(resource, "the object has no name; set metadata.name");
  if (!is_path_segment(key.name))
    return bad_key(resource,
                   "\"" + key.name + "\" cannot be a name; a name is not \".\" or \"..\" and has no \"/\" or \"%\"");
  return check_collection_key(resource, key);
}

Result<void> check_list_key(const Resource& resource, const ObjectKey& key) {
  if (is_path_segment(key.namespace_)) return {};
  return bad_key(
      resource,
      "\"" + key.namespace_ + "\" cannot be a namespace; a namespace is not \".\" or \"..\" and has no \"/\" or \"%\"");
}

Result<void> check_collection_key(const Resource& resource, const ObjectKey& key) {
  if (!resource.namespaced) return {};
  if (key.namespace_.empty()) {
    return bad_key(resource, (key.name.empty() ? "the object" : "\"" + key.name + "\"") +
                                 " has no namespace, but its kind is namespaced; set metadata.namespace");
  }
  return check_list_key(resource, key);
}

}  // namespace pintle
