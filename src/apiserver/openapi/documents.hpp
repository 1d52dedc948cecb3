// SPDX-License-Identifier: Apache-2.0
// Documents: the documents below /openapi.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/http/handler.hpp>

#include "../registry/catalog.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// /openapi/v2 as JSON and as protobuf, /openapi/v3, and below it a document for each group and version, with every kind
// of the catalog. A document is made at its first request and kept until one of its kinds changes. The index
// /openapi/v3 contains the hashes of all documents: it makes each of them, and drops those whose kinds are gone.
// Thread-safe.
class Documents {
 public:
  // `version` is the gitVersion of /version.
  Documents(Executor& executor, std::string version);

  // `parts` is the path after "openapi". Returns a page with status 404 if there is no such document. Refuses with 405
  // or 406.
  [[nodiscard]] StatusOr<http::Response> handle(const http::Request& request, const http::Target& target,
                                                const std::vector<std::string>& parts, const Catalog& catalog) const;

 private:
  struct Page {
    std::string body{};
    std::string hash{};
  };
  using PagePtr = std::shared_ptr<const Page>;
  struct Kept {
    std::vector<ResourcePtr> kinds{};
    PagePtr page{};
  };

  [[nodiscard]] PagePtr page(const std::string& name, std::vector<ResourcePtr> kinds,
                             const std::function<std::string(const std::vector<ResourcePtr>&)>& make) const;
  [[nodiscard]] PagePtr version_page(const Catalog::Group& group, const Catalog::Version& version,
                                     bool as_protobuf) const;
  [[nodiscard]] StatusOr<http::Response> handle_v2(const http::Request& request, const Catalog& catalog) const;
  [[nodiscard]] StatusOr<http::Response> handle_index(const http::Request& request, const Catalog& catalog) const;
  [[nodiscard]] StatusOr<http::Response> handle_version(const http::Request& request, const http::Target& target,
                                                        const std::vector<std::string>& parts,
                                                        const Catalog& catalog) const;

  const std::string version_;
  mutable Mutex mutex_;
  mutable std::map<std::string, Kept> kept_ PINTLE_GUARDED_BY(mutex_);  // by path
};

}  // namespace pintle::apiserver
