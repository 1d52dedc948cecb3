// Notices: what is stored here and has no effect, which who writes it should hear.
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

// Webhook configurations, admission policies, roles and their bindings, and validation rules in CEL are kept as a
// cluster keeps them, but nothing here acts on them. Each is said once: in the log, and to the client whose write it
// was. Thread-safe.
class Notices {
 public:
  // `log` must outlive it.
  Notices(Executor& executor, const Log& log) : log_(log), mutex_(executor) {}

  // Adds to `warnings` what is to be said of an object that was stored.
  void add(const Resource& resource, const Object& stored, std::vector<std::string>& warnings);

 private:
  const Log& log_;
  Mutex mutex_;
  std::set<std::string_view> said_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
