// SPDX-License-Identifier: Apache-2.0
#include "resource.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <openssl/sha.h>

#include <pintle/object/bytes.hpp>

#include "metadata.hpp"

namespace pintle::apiserver {

names::ValidationError Strategy::validate_name(std::string_view name) const { return subdomain_error(name); }

// Compares everything except metadata and status.
bool Strategy::same_intent(const json::Value& a, const json::Value& b) const {
  const auto count = [](const json::object& object) {
    return object.size() - (object.contains("metadata") ? 1 : 0) - (object.contains("status") ? 1 : 0);
  };
  const json::object& left = a.as_object();
  const json::object& right = b.as_object();
  if (count(left) != count(right)) return false;
  for (const auto& [name, value] : left) {
    if (name == "metadata" || name == "status") continue;
    const json::Value* other = right.if_contains(name);
    if (other == nullptr || !json::equal(*other, value)) return false;
  }
  return true;
}

bool Resource::takes(std::string_view verb) const { return std::find(verbs.begin(), verbs.end(), verb) != verbs.end(); }

const Subresource* Resource::subresource(std::string_view wanted) const {
  const auto found = std::find_if(subresources.begin(), subresources.end(),
                                  [&](const Subresource& one) { return one.name == wanted; });
  return found == subresources.end() ? nullptr : &*found;
}

std::string storage_hash_of(const Resource& resource) {
  if (!resource.is_stored()) return "";
  const std::string core = resource.stored_api_version.find('/') == std::string::npos ? "/" : "";
  const std::string text = fmt::format("{}{}/{}", core, resource.stored_api_version, resource.kind);
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return Bytes(std::string(reinterpret_cast<const char*>(digest.data()), 8)).to_base64();
}

}  // namespace pintle::apiserver
