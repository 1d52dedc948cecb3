// SPDX-License-Identifier: Apache-2.0
// LimitRanger.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/object/quantity.hpp>

#include "apiserver/admission/quota/amounts.hpp"
#include "apiserver/registry/values.hpp"
#include "plugin_parts.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view limit_range_collection = "limitranges";

// ---- defaults ----

// Adds the amounts that a container lacks, and returns their names in order.
std::vector<std::string> add_missing(Value& container, const char* list, View amounts) {
  std::vector<std::string> added;
  for (const auto [name, amount] : amounts.members()) {
    Value& own = object_in(container, "resources")[list];
    if (!own.is_object()) own.emplace_object();
    if (own.get_object().emplace(name, amount.to_value()).second) added.emplace_back(name);
  }
  std::sort(added.begin(), added.end());
  return added;
}

// Adds the defaults of one limit and describes them in `notes`.
void add_defaults(Value& container, View limit, std::string_view kind, std::vector<std::string>& notes) {
  const auto add = [&](const char* list, const char* what, const char* from) {
    const auto added = add_missing(container, list, limit.member(from));
    if (added.empty()) return;
    notes.push_back(fmt::format("{} {} for {} {}", fmt::join(added, ", "), what, kind, text_at(container, "/name")));
  };
  add("requests", "request", "defaultRequest");
  add("limits", "limit", "default");
}

// ---- limits ----

// The amounts that a limit applies to.
struct Usage {
  Amounts requests{};
  Amounts limits{};
  bool has_limits = true;  // false for a claim
};

std::optional<Quantity> amount_of(const Amounts& amounts, std::string_view name) {
  const auto found = amounts.find(name);
  return found == amounts.end() ? std::nullopt : std::optional(found->second);
}

std::string check_min(std::string_view type, const std::string& name, const Quantity& least, const Usage& usage) {
  const auto request = amount_of(usage.requests, name);
  const auto limit = amount_of(usage.limits, name);
  const std::string begin = fmt::format("minimum {} usage per {} is {}", name, type, least.to_string());
  if (!request) return begin + ".  No request is specified";
  if (*request < least) return begin + fmt::format(", but request is {}", request->to_string());
  if (limit && *limit < least) return begin + fmt::format(", but limit is {}", limit->to_string());
  return {};
}

std::string check_max(std::string_view type, const std::string& name, const Quantity& most, const Usage& usage) {
  const auto request = amount_of(usage.requests, name);
  const auto limit = amount_of(usage.limits, name);
  const std::string begin = fmt::format("maximum {} usage per {} is {}", name, type, most.to_string());
  if (usage.has_limits && !limit) return begin + ".  No limit is specified";
  if (!usage.has_limits && !request) return begin + ".  No request is specified";
  if (limit && *limit > most) return begin + fmt::format(", but limit is {}", limit->to_string());
  if (request && *request > most) return begin + fmt::format(", but request is {}", request->to_string());
  return {};
}

std::string check_ratio(std::string_view type, const std::string& name, const Quantity& most, const Usage& usage) {
  const auto request = amount_of(usage.requests, name);
  const auto limit = amount_of(usage.limits, name);
  const std::string begin = fmt::format("{} max limit to request ratio per {} is {}", name, type, most.to_string());
  if (!request || request->is_zero()) return begin + ", but no request is specified or request is 0";
  if (!limit || limit->is_zero()) return begin + ", but no limit is specified or limit is 0";
  const double ratio = limit->as_double() / request->as_double();
  return ratio > most.as_double() ? begin + fmt::format(", but provided ratio is {:f}", ratio) : std::string();
}

void check(View limit, const Usage& usage, std::vector<std::string>& errors) {
  const std::string_view type = limit.member("type").text();
  const auto check_all = [&](const char* name_of_list, auto check_one) {
    for (const auto& [name, amount] : amounts_of(limit.member(name_of_list))) {
      if (std::string error = check_one(type, name, amount, usage); !error.empty()) errors.push_back(std::move(error));
    }
  };
  check_all("min", check_min);
  check_all("max", check_max);
  if (usage.has_limits) check_all("maxLimitRequestRatio", check_ratio);
}

// ---- usage ----

Usage usage_of(ContainerAmounts amounts) {
  return {.requests = std::move(amounts.requests), .limits = std::move(amounts.limits)};
}

void check_pod(View limit, View pod, std::vector<std::string>& errors) {
  if (limit.member("type") == "Pod") return check(limit, usage_of(amounts_of_pod(pod)), errors);
  if (limit.member("type") != "Container") return;
  for (const char* list : {"/spec/containers", "/spec/initContainers"}) {
    for (const View container : pod[list].elements()) check(limit, usage_of(amounts_of_container(container)), errors);
  }
}

void check_claim(View limit, View claim, std::vector<std::string>& errors) {
  if (limit.member("type") != "PersistentVolumeClaim") return;
  check(limit, {.requests = amounts_of(claim["/spec/resources/requests"]), .has_limits = false}, errors);
}

}  // namespace

void set_default_resources(const Storage& storage, const Attributes& attributes, Value& pod) {
  std::vector<std::string> notes;
  for (const Object& range : storage.objects(limit_range_collection, attributes.namespace_)) {
    for (const View limit : range["/spec/limits"].elements()) {
      if (limit.member("type") != "Container") continue;
      each_object(pod, "/spec/containers", [&](Value& one) { add_defaults(one, limit, "container", notes); });
      each_object(pod, "/spec/initContainers", [&](Value& one) { add_defaults(one, limit, "init container", notes); });
    }
  }
  if (notes.empty()) return;
  object_in(pod.as_object()["metadata"], "annotations")["kubernetes.io/limit-ranger"] =
      fmt::format("LimitRanger plugin set: {}", fmt::join(notes, "; "));
}

StatusOr<void> check_limit_ranges(const Storage& storage, const Attributes& attributes, const Value& object) {
  const std::vector<Object> ranges = storage.objects(limit_range_collection, attributes.namespace_);
  if (ranges.empty()) return {};
  const Object checked(object);
  for (const Object& range : ranges) {
    std::vector<std::string> errors;
    for (const View limit : range["/spec/limits"].elements()) {
      if (attributes.resource.collection == "pods") {
        check_pod(limit, checked.root(), errors);
      } else {
        check_claim(limit, checked.root(), errors);
      }
    }
    if (errors.empty()) continue;
    const std::string all = fmt::format("{}", fmt::join(errors, ", "));
    return refuse(plugin_denial(attributes, object, errors.size() == 1 ? all : "[" + all + "]"));
  }
  return {};
}

}  // namespace pintle::apiserver
