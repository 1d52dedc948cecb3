// Discovery: finds the resource that serves a kind, by one request for each group and version.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>
#include <pintle/client/resource.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/json/document.hpp>

namespace pintle {

// Returns the resources of an APIResourceList, without subresources.
[[nodiscard]] std::vector<Resource> parse_resource_list(json::View list, std::string_view group,
                                                        std::string_view version);

// Thread-safe. If several threads need the same group and version at the same time, one of them sends the request and
// the others wait for its result.
class Discovery {
 public:
  // Sends a GET request for a path of the server.
  using Fetch = std::function<Result<http::BufferedResponse>(std::string target, std::stop_token stop)>;

  Discovery(Executor& executor, Fetch fetch);

  // Returns the discovered resource of the kind. Sends a request if the group and version are not cached, or if the
  // cached resources are older than `oldest` or lack the kind. Error: unsupported if the server does not serve the
  // kind.
  [[nodiscard]] Result<Resource> find(const GroupVersionKind& kind, std::stop_token stop,
                                      Duration oldest = Duration::max());
  // Drops the cached resources of the kind's group and version. The result of a request in flight is not cached and not
  // used by later calls.
  void forget(const GroupVersionKind& kind);

 private:
  using Resources = std::shared_ptr<const std::vector<Resource>>;
  // A request in flight; `response` is guarded by mutex_.
  struct Flight {
    std::optional<Result<Resources>> response;
  };

  struct CachedResources {
    Resources resources{};
    Instant at{};
  };

  [[nodiscard]] Resources cached(const std::string& api_version, Duration oldest);
  [[nodiscard]] Result<Resources> discover(const GroupVersionKind& kind, std::stop_token stop);
  [[nodiscard]] Result<Resources> fetch(const GroupVersionKind& kind, std::stop_token stop) const;
  [[nodiscard]] Result<Resources> lead(const GroupVersionKind& kind, const std::shared_ptr<Flight>& flight,
                                       std::stop_token stop);
  [[nodiscard]] Result<Resources> follow(const std::shared_ptr<Flight>& flight, std::stop_token stop);

  Executor& executor_;
  const Fetch fetch_;
  Mutex mutex_;
  CondVar landed_;
  std::map<std::string, CachedResources> cached_ PINTLE_GUARDED_BY(mutex_);           // by api version
  std::map<std::string, std::shared_ptr<Flight>> flights_ PINTLE_GUARDED_BY(mutex_);  // by api version
};

}  // namespace pintle
