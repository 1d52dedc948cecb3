// SPDX-License-Identifier: Apache-2.0
#include "sent_kind.hpp"

#include <fmt/format.h>

#include "apiserver/registry/table/decoding.hpp"
#include "apiserver/registry/values.hpp"
#include "sent_type.hpp"
#include "write.hpp"

namespace pintle::apiserver {
StatusOr<void> check_sent_kind(const json::Value& body, const SentKind& kind, std::string_view namespace_) {
  const bool is_also = !kind.also_api_version.empty() && text_at(body, "/apiVersion") == kind.also_api_version;
  const TypeName wanted{.api_version = is_also ? kind.also_api_version : kind.api_version, .kind = kind.kind};
  if (auto typed = check_builtin_type(body, wanted); !typed) return typed;
  return check_namespace(body, namespace_);
}

StatusOr<void> check_sent_members(const json::Value& body, const SentKind& kind) {
  const std::string why = decoding_error(body, kind.type);
  if (why.empty()) return {};
  return refuse(bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", kind.kind,
                                        version_in(kind.api_version), kind.kind, why)));
}

}  // namespace pintle::apiserver
