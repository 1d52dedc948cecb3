// Documents: what is served below /openapi.
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

// /openapi/v2, as JSON and as protobuf, /openapi/v3 and a document for each group and version below it, of every kind
// in the catalog. A document is made when it is first asked for and kept until one of its kinds is another; the index
// of /openapi/v3, which has their hashes, asks for all of them and forgets those whose kinds are gone. Thread-safe.
class Documents {
 public:
  // `version` is what /version says.
  Documents(Executor& executor, std::string version);

  // `parts` are those of the path behind "openapi". A page with 404 for what is not there; refuses with 405 and 406.
  [[nodiscard]] Answer<http::Response> answer(const http::Request& request, const http::Target& target,
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
  [[nodiscard]] PagePtr version_page(const Catalog::Group& group, const Catalog::Version& version) const;
  [[nodiscard]] Answer<http::Response> answer_v2(const http::Request& request, const Catalog& catalog) const;
  [[nodiscard]] Answer<http::Response> answer_index(const http::Request& request, const Catalog& catalog) const;
  [[nodiscard]] Answer<http::Response> answer_version(const http::Request& request, const http::Target& target,
                                                      const std::vector<std::string>& parts,
                                                      const Catalog& catalog) const;

  const std::string version_;
  mutable Mutex mutex_;
  mutable std::map<std::string, Kept> kept_ PINTLE_GUARDED_BY(mutex_);  // by path
};

}  // namespace pintle::apiserver
