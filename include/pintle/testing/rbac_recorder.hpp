// RbacRecorder: what an operator asks of an API server, held against the roles that it declares.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pintle/apiserver/request_info.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::testing {

enum class RbacMode {
  record,   // every request is handed on
  enforce,  // one that no role allows is answered 403 Forbidden, as kube-apiserver words it
};

// Stands before a server and knows the rights that each request takes; with an apply of what is not there yet, that is
// two. What RBAC does not hold against a client, such as discovery, passes. When asked, Simulation has one for each
// instance and cluster. Thread-safe; `runtime` and `server` must outlive it.
class RbacRecorder final : public http::Handler {
 public:
  RbacRecorder(Runtime& runtime, http::Handler& server, RbacMode mode = RbacMode::record);

  // From now on these count, as those of manager `name` in a cluster of its: of Manager::roles(), those for that
  // cluster. Until then there are none.
  void hold_to(std::string name, std::vector<RbacRole> roles, std::string cluster = std::string(home_cluster));

  [[nodiscard]] http::Response handle(const http::Request& request) override;

  // What was asked for and is in no role, in order and each once, as
  // `create configmaps in namespace "x": not in the roles of manager hello; …`, or `… of manager hello in cluster west;
  // …`. At most 1000; then no more is kept.
  [[nodiscard]] std::vector<std::string> lacking() const;
  // What is in a role and was not asked for, as `delete configmaps: in ClusterRole hello, but not asked for`. A test
  // that does not do all an operator does has some. Rights that no request shows are left out: */finalizers.
  [[nodiscard]] std::vector<std::string> unused() const;

 private:
  using Use = std::pair<std::size_t, std::pair<std::size_t, std::string>>;  // role, rule, verb

  [[nodiscard]] bool is_allowed(const RequestInfo& asked);
  [[nodiscard]] bool is_there(const http::Request& request);
  void note_lacking(const RequestInfo& asked) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] http::Response forbidden(const RequestInfo& asked) const;
  [[nodiscard]] std::string in_cluster() const PINTLE_REQUIRES(mutex_);

  http::Handler& server_;
  const RbacMode mode_;
  mutable Mutex mutex_;
  std::string name_ PINTLE_GUARDED_BY(mutex_);
  std::vector<RbacRole> roles_ PINTLE_GUARDED_BY(mutex_);
  std::string cluster_ PINTLE_GUARDED_BY(mutex_){home_cluster};
  std::set<Use> used_ PINTLE_GUARDED_BY(mutex_);
  std::vector<std::string> lacking_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::testing
