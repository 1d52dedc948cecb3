// SPDX-License-Identifier: Apache-2.0
// Notices: warnings about stored objects that have no effect in this server.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/object/object.hpp>

#include "apiserver/registry/resource.hpp"

namespace pintle::apiserver {

// Roles and role bindings are stored as in a cluster, but have no effect unless requests are authorized. A notice about
// this is given once: in the log, and to the client of that write. Thread-safe.
class Notices {
 public:
  // `log` must outlive this object.
  Notices(Executor& executor, const Log& log, bool evaluates_roles)
      : log_(log), evaluates_roles_(evaluates_roles), mutex_(executor) {}

  // Adds the notice about a stored object to `warnings`, unless it was given before.
  void add(const Resource& resource, const Object& stored, std::vector<std::string>& warnings);

 private:
  const Log& log_;
  const bool evaluates_roles_;
  Mutex mutex_;
  std::set<std::string_view> given_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
