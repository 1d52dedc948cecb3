// SPDX-License-Identifier: Apache-2.0
#include "request_names.hpp"

#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/patterns/service/stable_names.hpp>

namespace pintle::service {

Result<std::string> label_value(const std::vector<std::string_view>& parts) {
  std::string value;
  for (const std::string_view part : parts) {
    if (!value.empty() && !part.empty()) value += '.';
    value += part;
  }
  return shorten_name(value);
}

Result<RequestNames> NamedRequests::of(const ObjectKey& api) const {
  const auto namespace_ = mcp_namespace(api);
  if (!namespace_) return fail(namespace_.error());
  const auto name = request_name(controller, api.name, suffix);
  if (!name) return fail(name.error());
  auto labels = labels_of_requests(controller, api);
  if (!labels) return fail(std::move(labels.error()));
  auto purpose = label_value({api.namespace_, api.name, id});
  if (!purpose) return fail(std::move(purpose.error()));
  labels->emplace(managed_purpose_label, std::move(*purpose));
  return RequestNames{
      .cluster_request = {*namespace_, *name}, .access_request = {*namespace_, *name}, .labels = std::move(*labels)};
}

Result<std::map<std::string, std::string>> labels_of_requests(const std::string& controller, const ObjectKey& api) {
  const std::pair<std::string_view, std::string_view> wanted[] = {
      {managed_by_label, controller}, {onboarding_name_label, api.name}, {onboarding_namespace_label, api.namespace_}};
  std::map<std::string, std::string> labels;
  for (const auto& [label, part] : wanted) {
    auto value = label_value({part});
    if (!value) return fail(std::move(value.error()));
    labels.emplace(label, std::move(*value));
  }
  return labels;
}

std::string describe_request(const Object& request) {
  return std::string(request.kind()) + " " + request.key().to_string();
}

Result<void> check_ours(const Object& request, const std::map<std::string, std::string>& labels,
                        std::string_view controller) {
  for (const auto& [label, value] : labels) {
    if (request.label(label) == value) continue;
    return fail(ErrorCode::not_owned, describe_request(request) + " is not managed by " + std::string(controller) +
                                          ": its label " + label + " is " + quote(request.label(label)) + ", not " +
                                          quote(value));
  }
  return {};
}

}  // namespace pintle::service
