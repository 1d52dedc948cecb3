// SPDX-License-Identifier: Apache-2.0
#include "read_form.hpp"

#include <charconv>
#include <cstdint>

#include "apiserver/registry/read_defaults.hpp"

namespace pintle::apiserver {

Object with_read_defaults(const Resource& resource, const Object& stored) {
  const ReadDefaults* defaults = resource.read_defaults.get();
  if (defaults == nullptr || !stored.exists()) return stored;
  const std::string_view text = stored.resource_version();
  std::uint64_t version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  if (version > defaults->defined_at) return stored;
  const std::string_view api_version = stored.api_version();
  const auto found = defaults->schemas.find(api_version.substr(api_version.find('/') + 1));
  if (found == defaults->schemas.end()) return stored;
  json::Value value = stored.to_value();
  found->second.apply_defaults(value);
  Object complete(value);
  return complete == stored ? stored : complete;
}

}  // namespace pintle::apiserver
