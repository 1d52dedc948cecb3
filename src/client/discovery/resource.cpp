// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/resource.hpp>

#include <algorithm>

#include <pintle/http/message.hpp>

namespace pintle {

std::string Resource::path(const ObjectKey& key) const {
  std::string path = (kind.group.empty() ? "/api/" : "/apis/") + kind.api_version();
  if (namespaced && !key.namespace_.empty()) path += "/namespaces/" + http::percent_encode(key.namespace_);
  path += "/" + plural;
  if (!key.name.empty()) path += "/" + http::percent_encode(key.name);
  return path;
}

bool Resource::has_subresource(std::string_view name) const {
  return std::ranges::find(subresources, name) != subresources.end();
}

std::string Resource::to_string() const { return kind.group.empty() ? plural : plural + "." + kind.group; }

}  // namespace pintle
