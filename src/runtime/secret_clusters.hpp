// SecretClusters: clients of the clusters that Secrets lead to, kept from pass to pass.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// One client a Secret and data key, as long as the Secret is the same version and the URL of the server the same. At
// most `most`: the one that was used longest ago goes then. A client that goes lives on with whoever still holds it.
// Thread-safe.
class SecretClusters {
 public:
  using Connect = std::function<std::shared_ptr<Client>(const Cluster&)>;
  static constexpr std::size_t most = 256;

  SecretClusters(Runtime& runtime, Connect connect) : connect_(std::move(connect)), mutex_(runtime) {}

  // `at` is the name of the cluster that the Secret is in; `server` a URL in the place of that in the kubeconfig,
  // unless empty. Errors: invalid, naming the Secret and what is wrong in it, or the URL.
  [[nodiscard]] Result<std::shared_ptr<Client>> client_of(const std::string& at, const Object& secret,
                                                          std::string_view data_key, std::string_view server = {});
  // The Secret is gone.
  void forget(const std::string& at, const ObjectKey& secret);
  // Closes what is kept, before the transport ends.
  void clear();
  [[nodiscard]] std::size_t size() const;

 private:
  using Id = std::tuple<std::string, ObjectKey, std::string>;  // cluster, Secret, data key
  struct Kept {
    std::string version;  // uid and resourceVersion of the Secret, and the URL
    std::shared_ptr<Client> client;
    std::uint64_t used = 0;
  };

  void make_room() PINTLE_REQUIRES(mutex_);

  const Connect connect_;
  mutable Mutex mutex_;
  std::map<Id, Kept> kept_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t uses_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle
