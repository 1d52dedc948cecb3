// SPDX-License-Identifier: Apache-2.0
// Discovery: finds the resource that serves a kind, by one request for each group and version, and lists all resources
// of a server.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/client/api_catalog.hpp>
#include <pintle/client/resource.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/json/document.hpp>

#include "shared_fetches.hpp"

namespace pintle {

// Returns the resources of an APIResourceList, without subresources.
[[nodiscard]] std::vector<Resource> parse_resource_list(json::View list, std::string_view group,
                                                        std::string_view version);

// Thread-safe.
class Discovery {
 public:
  // Sends a GET request.
  using Fetch = std::function<Result<http::BufferedResponse>(http::Request request, std::stop_token stop)>;

  Discovery(Executor& executor, Fetch fetch);

  // Returns the discovered resource of the kind. Sends a request if the group and version are not cached, or if the
  // cached resources are older than `oldest` or lack the kind; for a kind that does not exist, five requests and then
  // one every 10 seconds. Error: unsupported if the server does not serve the kind.
  [[nodiscard]] Result<Resource> find(const GroupVersionKind& kind, std::stop_token stop,
                                      Duration oldest = Duration::max());
  // Returns the resource with a name as in ApiCatalog::find(). Lists all resources again if none has the name, limited
  // as find().
  [[nodiscard]] Result<Resource> find_name(const std::string& name, std::stop_token stop);
  // Returns all resources, as listed at most 10 minutes ago.
  [[nodiscard]] Result<std::shared_ptr<const ApiCatalog>> all(std::stop_token stop);

  // Drops the cached resources of the kind's group and version, and the catalog.
  void forget(const GroupVersionKind& kind);
  void forget_all();

 private:
  using Resources = std::vector<Resource>;

  [[nodiscard]] Result<void> may_block() const;
  [[nodiscard]] Result<std::shared_ptr<const Resources>> fetch(const GroupVersionKind& kind,
                                                               std::stop_token stop) const;
  [[nodiscard]] Result<std::shared_ptr<const ApiCatalog>> list_all(std::stop_token stop);

  Executor& executor_;
  const Fetch fetch_;
  SharedFetches<Resources> resources_;  // by api version
  SharedFetches<ApiCatalog> catalog_;   // one, with an empty key
};

}  // namespace pintle
