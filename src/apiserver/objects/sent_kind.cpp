// SPDX-License-Identifier: Apache-2.0
#include "sent_kind.hpp"

#include <fmt/format.h>

#include "apiserver/registry/table/decoding.hpp"
#include "apiserver/registry/values.hpp"
#include "write.hpp"

namespace pintle::apiserver {
namespace {

std::string_view version_in(std::string_view api_version) { return api_version.substr(api_version.find('/') + 1); }

}  // namespace

StatusOr<void> check_sent_kind(const json::Value& body, const SentKind& kind, std::string_view namespace_) {
  if (!body.is_object()) return refuse(bad_request("the body is not an object"));
  const std::string_view api_version = text_at(body, "/apiVersion");
  if (!api_version.empty() && api_version != kind.api_version && api_version != kind.also_api_version) {
    return refuse(
        bad_request(fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                                api_version, kind.api_version)));
  }
  if (const std::string_view given = text_at(body, "/kind"); !given.empty() && given != kind.kind) {
    return refuse(bad_request(
        fmt::format("{} in version \"{}\" cannot be handled as a {}", given, version_in(kind.api_version), kind.kind)));
  }
  return check_namespace(body, namespace_);
}

StatusOr<void> check_sent_members(const json::Value& body, const SentKind& kind) {
  const std::string why = decoding_error(body, kind.type);
  if (why.empty()) return {};
  return refuse(bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", kind.kind,
                                        version_in(kind.api_version), kind.kind, why)));
}

}  // namespace pintle::apiserver
