// SPDX-License-Identifier: Apache-2.0
// RbacRecorder: compares the requests of an operator to an API server with the roles that the operator declares.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pintle/apiserver/request_info.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::testkit {

enum class RbacMode {
  record,   ///< every request is passed on
  enforce,  ///< a request that no role allows returns 403 Forbidden, with the message of kube-apiserver
};

/// A handler that passes requests on to `server` and determines the permissions that each request needs. An apply to a
/// missing object needs two permissions: patch and create. Requests without a resource, such as discovery, are always
/// passed on. A Simulation with on_missing_permission or enforce_roles has one RbacRecorder for each instance and
/// cluster. Thread-safe. `executor` and `server` must outlive it.
class PINTLE_EXPORT RbacRecorder final : public http::Handler {
 public:
  RbacRecorder(Executor& executor, http::Handler& server, RbacMode mode = RbacMode::record);

  /// Sets the roles of the manager `name` in one of its clusters: the part of Manager::roles() for that cluster. Before
  /// the first call there are no roles.
  void set_roles(std::string name, std::vector<RbacRole> roles, std::string cluster = std::string(home_cluster));

  [[nodiscard]] http::Response handle(const http::Request& request) override;

  /// The permissions that requests needed and no role contains, each once, in the order of the requests. At most 1000;
  /// further ones are dropped. For example:
  ///
  ///   create configmaps in namespace "x": not in the roles of manager hello; …
  ///   create configmaps in namespace "x": not in the roles of manager hello in cluster west; …
  [[nodiscard]] std::vector<std::string> missing() const;
  /// The permissions in the roles that no request needed. Some are expected if a test does not cover the whole
  /// operator. Permissions that no request can show (*/finalizers) are left out. For example:
  ///
  ///   delete configmaps: in ClusterRole hello, but not used
  [[nodiscard]] std::vector<std::string> unused() const;

 private:
  using Use = std::pair<std::size_t, std::pair<std::size_t, std::string>>;  // role, rule, verb

  [[nodiscard]] bool is_allowed(const RequestInfo& info);
  [[nodiscard]] bool is_there(const http::Request& request);
  void note_missing(const RequestInfo& info) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] http::Response forbidden(const RequestInfo& info) const;
  [[nodiscard]] std::string in_cluster() const PINTLE_REQUIRES(mutex_);

  http::Handler& server_;
  const RbacMode mode_;
  mutable Mutex mutex_;
  std::string name_ PINTLE_GUARDED_BY(mutex_);
  std::vector<RbacRole> roles_ PINTLE_GUARDED_BY(mutex_);
  std::string cluster_ PINTLE_GUARDED_BY(mutex_){home_cluster};
  std::set<Use> used_ PINTLE_GUARDED_BY(mutex_);
  std::vector<std::string> missing_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::testkit
