// SPDX-License-Identifier: Apache-2.0
// Collector: garbage collection by owner references, as in kube-controller-manager: by uid, with background, foreground
// and orphan deletion.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Keeps the graph of the objects that have owners or wait for their dependents, and follows every change. Used by one
// thread.
class Collector {
 public:
  Collector(Service& service, Duration termination_delay) : service_(service), termination_delay_(termination_delay) {}

  // Does the work that is due now. Returns when more is due even without a write; Instant::max(): never.
  Instant round(bool registry_changed);

 private:
  struct Owner {
    std::string api_version{};
    std::string kind{};
    std::string name{};
    std::string uid{};
    bool blocks = false;
  };
  struct Node {
    std::string collection{};
    std::string namespace_{};
    std::string name{};
    std::vector<Owner> owners{};
    bool awaits_dependents = false;  // deleted with propagation Foreground
    bool orphans_dependents = false;
  };
  // An object whose change or deletion was refused, for example by a webhook.
  struct Retry {
    int attempts = 0;
    Instant at{};
  };
  enum class OwnerState { there, absent, waiting, unknown };
  using Uids = std::set<std::string>;

  void follow();
  void follow(const std::string& collection);
  void forget(const std::string& collection);
  void note(const std::string& collection, const Object& object);
  void note_gone(const std::string& uid);
  void unlink(const std::string& uid);

  void examine(const std::string& uid);
  void examine_once(const std::string& uid);
  void note_refusal(const Refusal& refusal);
  void schedule_retry(const std::string& uid);
  void examine_owners(const Node& node, const std::string& uid);
  bool finish_deletion(const Node& node, const std::string& uid);
  [[nodiscard]] OwnerState state_of(const Owner& owner, const Node& node);
  [[nodiscard]] bool waits_now(const Node& node) const;
  [[nodiscard]] Uids dependents_of(const std::string& uid, bool only_blocking) const;
  void remove_owners(const Node& node, const Uids& owners);
  [[nodiscard]] bool unblock_owners(const Node& node);
  void remove_finalizer(const Node& node, std::string_view finalizer);
  [[nodiscard]] ResourcePtr resource_of(const Node& node) const;

  Service& service_;
  const Duration termination_delay_;
  Version followed_ = 0;
  std::map<std::string, Position> places_;
  std::map<std::string, Node> nodes_;         // by uid
  std::map<std::string, Uids> dependents_;    // by the uid of the owner
  std::map<std::string, Instant> deletions_;  // by uid: when an object was first observed waiting for its dependents
  Uids to_examine_;
  Uids unresolved_;                       // objects with an owner whose kind is not served
  Uids gone_;                             // deleted owners that still have dependents
  std::map<std::string, Retry> retries_;  // by uid
  bool is_refused_ = false;               // a write of the current examination was refused
  Instant due_ = Instant::max();
};

}  // namespace pintle::apiserver
