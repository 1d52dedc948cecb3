// SPDX-License-Identifier: Apache-2.0
// CatalogReader: lists all resources of a server, from its aggregated discovery, or from one document for each group
// and version of a server that has none.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include <pintle/client/api_catalog.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/json/document.hpp>

namespace pintle {

// Used once. Not thread-safe.
class CatalogReader {
 public:
  using Fetch = std::function<Result<http::BufferedResponse>(http::Request request, std::stop_token stop)>;

  CatalogReader(const Fetch& fetch, std::stop_token stop) : fetch_(fetch), stop_(std::move(stop)) {}

  // An API that fails is in ApiCatalog::unavailable. Error: that of a request for the list of groups.
  [[nodiscard]] Result<ApiCatalog> read() &&;

 private:
  [[nodiscard]] Result<void> read_root(const std::string& path);
  void read_aggregated(json::View root);
  [[nodiscard]] Result<void> read_core_versions(json::View root);
  [[nodiscard]] Result<void> read_groups(json::View root);
  [[nodiscard]] Result<void> read_versions(ApiGroup group);

  const Fetch& fetch_;
  const std::stop_token stop_;
  ApiCatalog catalog_;
};

}  // namespace pintle
