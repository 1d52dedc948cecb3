// SPDX-License-Identifier: Apache-2.0
#include "access_review.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/json/document.hpp>
#include <pintle/object/selector.hpp>

#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view attributes_field = "spec.resourceAttributes";
constexpr std::string_view path_field = "spec.nonResourceAttributes";

// The attributes of a path as kube-apiserver prints them.
Value go_path(const Value& path) { return {{"Path", text_at(path, "/path")}, {"Verb", text_at(path, "/verb")}}; }

constexpr std::array<std::string_view, 2> selector_names{"fieldSelector", "labelSelector"};

// An unknown operator is accepted: the requirement is then ignored. The names and values of labels have a form.
void check_selector_requirement(View requirement, bool is_label, const std::string& at,
                                std::vector<StatusCause>& causes) {
  const std::string_view key = requirement.member("key").text();
  const std::string_view how = requirement.member("operator").text();
  const bool has_values = !requirement.member("values").empty();
  if (!is_label && key.empty()) causes.push_back(required(at + ".key", "must be specified"));
  if ((how == "In" || how == "NotIn") && !has_values) {
    causes.push_back(required(at + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((how == "Exists" || how == "DoesNotExist") && has_values) {
    causes.push_back(
        forbidden_field(at + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
  if (!is_label) return;
  add_errors(at + ".key", key, label_key_errors(key), causes);
  std::size_t i = 0;
  for (const View value : requirement.member("values").elements()) {
    add_errors(fmt::format("{}.values[{}]", at, i++), value.text(), label_value_errors(value.text()), causes);
  }
}

void check_selector(const Value* selector, bool is_label, const std::string& field, std::vector<StatusCause>& causes) {
  if (selector == nullptr || !selector->is_object()) return;
  const std::string_view raw = text_at(*selector, "/rawSelector");
  const Value* requirements = member(*selector, "requirements");
  const bool has_requirements =
      requirements != nullptr && requirements->is_array() && !requirements->as_array().empty();
  if (!raw.empty() && has_requirements) {
    causes.push_back(
        invalid_value(field + ".rawSelector", Value(raw), "may not specified at the same time as requirements"));
  }
  if (raw.empty() && !has_requirements) {
    causes.push_back(required(field + ".requirements",
                              fmt::format("when {} is specified, requirements or rawSelector is required", field)));
  }
  const json::Document document(*selector);
  std::size_t i = 0;
  for (const View requirement : document.root().member("requirements").elements()) {
    check_selector_requirement(requirement, is_label, fmt::format("{}.requirements[{}]", field, i++), causes);
  }
}

void check_selectors(const Value& review, std::vector<StatusCause>& causes) {
  const Value* resource = json::find(review, "/spec/resourceAttributes");
  if (resource == nullptr || !resource->is_object()) return;
  for (const std::string_view name : selector_names) {
    check_selector(member(*resource, name), name == "labelSelector", fmt::format("{}.{}", attributes_field, name),
                   causes);
  }
}

// Checks the parts that all kinds of access reviews have in common.
void check_attributes(const Value& review, std::vector<StatusCause>& causes) {
  const Value* resource = json::find(review, "/spec/resourceAttributes");
  const Value* path = json::find(review, "/spec/nonResourceAttributes");
  if (resource != nullptr && path != nullptr) {
    causes.push_back(invalid_value(std::string(path_field), go_path(*path),
                                   "cannot be specified in combination with resourceAttributes"));
  }
  if (resource == nullptr && path == nullptr) {
    causes.push_back(invalid_value(std::string(attributes_field), Value(),
                                   "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
  }
}

void check_reviewed_user(const Value& review, std::vector<StatusCause>& causes) {
  const Value* groups = json::find(review, "/spec/groups");
  const bool has_groups = groups != nullptr && groups->is_array() && !groups->as_array().empty();
  if (!text_at(review, "/spec/user").empty() || has_groups) return;
  causes.push_back(invalid_value("spec.user", Value(""), "at least one of user or group must be specified"));
}

void check_local(const Value& review, std::string_view namespace_, std::vector<StatusCause>& causes) {
  if (json::find(review, "/spec/resourceAttributes") != nullptr) {
    const std::string_view given = text_at(review, "/spec/resourceAttributes/namespace");
    if (given != namespace_) {
      causes.push_back(
          invalid_value("spec.resourceAttributes.namespace", Value(given), "must match metadata.namespace"));
    }
  }
  if (const Value* path = json::find(review, "/spec/nonResourceAttributes")) {
    causes.push_back(invalid_value(std::string(path_field), go_path(*path), "disallowed on this kind of request"));
  }
}

// A review has no metadata; a local one has a namespace.
void check_no_metadata(const Value& review, bool is_local, std::vector<StatusCause>& causes) {
  const Value* metadata = member(review, "metadata");
  if (metadata == nullptr || !metadata->is_object()) return;
  for (const auto& [name, value] : metadata->get_object()) {
    const bool is_empty = value.is_null() || (value.is_string() && value.get_string().empty());
    if (is_empty || name == "managedFields" || (is_local && name == "namespace")) continue;
    causes.push_back(
        invalid_value("metadata", *metadata, is_local ? "must be empty except for namespace" : "must be empty"));
    return;
  }
}

std::vector<StatusCause> mistakes_in(const Value& review, const Call& call) {
  std::vector<StatusCause> causes;
  const bool is_self = call.resource->kind == "SelfSubjectAccessReview";
  const bool is_local = call.resource->kind == "LocalSubjectAccessReview";
  check_attributes(review, causes);
  if (!is_self) check_reviewed_user(review, causes);
  check_selectors(review, causes);
  check_no_metadata(review, is_local, causes);
  if (is_local) check_local(review, call.namespace_, causes);
  return causes;
}

Action action_in(const Value& spec) {
  if (const Value* path = member(spec, "nonResourceAttributes")) {
    return {.verb = std::string(text_at(*path, "/verb")),
            .is_resource = false,
            .path = std::string(text_at(*path, "/path"))};
  }
  const Value& resource = spec.at("resourceAttributes");
  return {.verb = std::string(text_at(resource, "/verb")),
          .group = std::string(text_at(resource, "/group")),
          .resource = std::string(text_at(resource, "/resource")),
          .subresource = std::string(text_at(resource, "/subresource")),
          .namespace_ = std::string(text_at(resource, "/namespace")),
          .name = std::string(text_at(resource, "/name"))};
}

User subject_in(const Value& spec) {
  const json::Document document(spec);
  User out{.name = std::string(text_at(spec, "/user")), .uid = std::string(text_at(spec, "/uid"))};
  for (const View group : document.root().member("groups").elements()) out.groups.emplace_back(group.text());
  for (const auto [key, values] : document.root().member("extra").members()) {
    for (const View value : values.elements()) out.extra[std::string(key)].emplace_back(value.text());
  }
  return out;
}

// Returns whether kube-apiserver can evaluate a requirement. Those of fields have one value.
bool is_usable(View requirement, bool is_label) {
  const std::string_view how = requirement.member("operator").text();
  if (how == "In" || how == "NotIn") return is_label || requirement.member("values").size() == 1;
  return is_label && (how == "Exists" || how == "DoesNotExist");
}

// Returns the message about the selectors that are ignored because a part of them cannot be read. Roles do not depend
// on selectors.
std::string unusable_selectors(const Value& spec) {
  std::string out;
  const json::Document document(spec);
  for (const std::string_view name : selector_names) {
    const View selector = document.root().member("resourceAttributes").member(name);
    const bool is_label = name == "labelSelector";
    const View requirements = selector.member("requirements");
    std::size_t usable = 0;
    for (const View requirement : requirements.elements()) usable += is_usable(requirement, is_label) ? 1 : 0;
    bool is_readable = usable == requirements.size();
    if (const std::string_view raw = selector.member("rawSelector").text(); requirements.empty() && !raw.empty()) {
      is_readable = is_label ? LabelSelector::parse(raw).has_value() : FieldSelector::parse(raw).has_value();
    }
    if (is_readable) continue;
    out += fmt::format("{}{}.{} {}ignored due to parse error", out.empty() ? "" : "; ", attributes_field, name,
                       usable > 0 ? "partially " : "");
  }
  return out;
}

}  // namespace

StatusOr<Value> access_status(const Service& service, const Call& call, const Value& review) {
  if (auto causes = mistakes_in(review, call); !causes.empty()) {
    return refuse(invalid({.group = call.resource->group}, std::move(causes)));
  }
  const Value& spec = review.at("spec");
  const bool is_self = call.resource->kind == "SelfSubjectAccessReview";
  const auto decision = service.authorizer.authorize(is_self ? call.user : subject_in(spec), action_in(spec));
  json::object out{{"allowed", decision.is_allowed}};
  if (!decision.reason.empty()) out["reason"] = decision.reason;
  if (const auto error = unusable_selectors(spec); !error.empty()) out["evaluationError"] = error;
  return out;
}

StatusOr<Value> rules_status(const Service& service, const Call& call, const Value& review) {
  const std::string_view namespace_ = text_at(review, "/spec/namespace");
  if (namespace_.empty()) return refuse(bad_request("no namespace on request"));
  const auto list = [](const std::vector<std::string>& texts) { return json::array(texts.begin(), texts.end()); };
  const Authorizer::HeldRules held = service.authorizer.rules_of(call.user, namespace_);
  json::array resources;
  json::array paths;
  for (const PolicyRule& rule : held.rules) {
    if (!rule.resources.empty()) {
      json::object item{
          {"verbs", list(rule.verbs)}, {"apiGroups", list(rule.groups)}, {"resources", list(rule.resources)}};
      if (!rule.names.empty()) item["resourceNames"] = list(rule.names);
      resources.emplace_back(std::move(item));
    }
    if (!rule.urls.empty()) {
      paths.emplace_back(json::object{{"verbs", list(rule.verbs)}, {"nonResourceURLs", list(rule.urls)}});
    }
  }
  json::object out{
      {"resourceRules", std::move(resources)}, {"nonResourceRules", std::move(paths)}, {"incomplete", false}};
  if (!held.error.empty()) out["evaluationError"] = held.error;
  return out;
}

}  // namespace pintle::apiserver
