// SPDX-License-Identifier: Apache-2.0
// SecretClusters: clients of clusters whose kubeconfig is in a Secret, kept between reconciles.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// There is one client for each Secret and data key. It is kept while the version of the Secret and the URL of the
// server are the same. A client that was replaced or dropped exists as long as a caller uses it.
//
// At most `max` clients without a holder are kept: beyond that the least recently used one is dropped, and the first
// time a warning is logged. A client with a holder is kept until release(), forget(), or until the same holder requests
// the client of another Secret. Thread-safe.
class SecretClusters {
 public:
  using Connect = std::function<std::shared_ptr<Client>(const Cluster&)>;

  SecretClusters(Executor& executor, std::size_t max, Connect connect, Log log = {})
      : executor_(executor), connect_(std::move(connect)), max_(max), log_(std::move(log)), mutex_(executor) {}

  // The parameters of client_of().
  struct ClientRequest {
    std::string_view at;  // the name of the cluster that contains the Secret
    const Object& secret;
    std::string_view data_key;
    std::string_view server{};  // URL that replaces the server URL of the kubeconfig; empty: no replacement
    std::string_view holder{};  // keeps the client; empty: no holder
  };
  // Error: invalid; the message names the defect and either the Secret or the URL.
  [[nodiscard]] Result<std::shared_ptr<Client>> client_of(const ClientRequest& request);
  // Drops the clients of a Secret that no longer exists.
  void forget(std::string_view at, const ObjectKey& secret);
  // Drops the client that the holder keeps, unless another holder keeps it too.
  void release(std::string_view at, std::string_view holder);
  // Drops all clients. Must be called before the transport ends.
  void clear();
  [[nodiscard]] std::size_t size() const;

 private:
  using Id = std::tuple<std::string, ObjectKey, std::string>;  // cluster, Secret, data key
  using Holder = std::pair<std::string, std::string>;          // cluster of the Secret, name
  struct CachedClient {
    std::string version{};  // uid and resourceVersion of the Secret, and the URL
    std::shared_ptr<Client> client{};
    std::uint64_t used = 0;
    std::size_t holders = 0;
  };

  [[nodiscard]] std::shared_ptr<Client> use(const Id& id, const std::string& version, std::string_view holder)
      PINTLE_REQUIRES(mutex_);
  void hold(const Id& id, std::string_view holder) PINTLE_REQUIRES(mutex_);
  // Returns whether the client has no holder any more.
  bool unhold(const Holder& holder) PINTLE_REQUIRES(mutex_);
  void make_room() PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const Connect connect_;
  const std::size_t max_;
  const Log log_;
  mutable Mutex mutex_;
  std::map<Id, CachedClient> clients_ PINTLE_GUARDED_BY(mutex_);
  std::map<Holder, Id> held_by_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t uses_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool is_warned_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
