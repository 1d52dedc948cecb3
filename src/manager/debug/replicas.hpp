// SPDX-License-Identifier: Apache-2.0
// Replicas: the instances of an operator in a cluster, which are pods.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>

namespace pintle {

struct Replica {
  std::string name{};
  std::string node{};
  std::string started{};  // RFC 3339; "": not yet
  std::string pages{};    // URL of its pages; "": unknown
  bool ready = false;
  bool deleting = false;
  bool is_this = false;
};

// Thread-safe. The list is requested at most every `age` from the API server, however often it is read.
class Replicas {
 public:
  static constexpr Duration age = std::chrono::seconds(5);

  // The replicas are the pods of a namespace with the labels of `own`, except the labels that differ between the
  // revisions of one Deployment, StatefulSet or DaemonSet.
  struct Options {
    ObjectKey own{};                                                 // the pod of this process
    std::function<std::string(const std::string& address)> pages{};  // the URL of the pages at the address of a pod
  };
  Replicas(Executor& executor, std::unique_ptr<Client> client, Options options);

  // Sorted by name. Calls the API server. Error: not_found if this process is not in a pod, or that of the call.
  [[nodiscard]] Result<std::vector<Replica>> list();

 private:
  [[nodiscard]] Result<std::vector<Replica>> read() const;
  [[nodiscard]] Replica replica_of(const Object& pod) const;

  Executor& executor_;
  const std::unique_ptr<Client> client_;
  const Options options_;
  Mutex mutex_;
  std::optional<Result<std::vector<Replica>>> last_ PINTLE_GUARDED_BY(mutex_);
  Instant read_at_ PINTLE_GUARDED_BY(mutex_){};
};

}  // namespace pintle
