// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/resource_watcher.hpp>

namespace pintle::watcher {

Error nil_object_error() { return make_error(ErrorCode::invalid, "object cannot be nil").terminal(); }

Outcome SimpleWatcher::added(const Object& object, Context& context) {
  return functions_.added ? functions_.added(object, context) : Outcome(done);
}

Outcome SimpleWatcher::updated(const Object& old, const Object& current, Context& context) {
  return functions_.updated ? functions_.updated(old, current, context) : Outcome(done);
}

Outcome SimpleWatcher::deleted(const Object& object, Context& context) {
  return functions_.deleted ? functions_.deleted(object, context) : Outcome(done);
}

}  // namespace pintle::watcher
