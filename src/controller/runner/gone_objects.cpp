// SPDX-License-Identifier: Apache-2.0
#include "gone_objects.hpp"

namespace pintle {

std::optional<Object> GoneObjects::add(const Object& last) {
  const MutexLock lock(mutex_);
  std::deque<Object>& of_this_name = objects_[last.key()];
  of_this_name.push_back(last);
  if (of_this_name.size() <= max_of_one_name) return {};
  Object given_up = of_this_name.front();
  of_this_name.pop_front();
  return given_up;
}

Object GoneObjects::next(const ObjectKey& key) const {
  const MutexLock lock(mutex_);
  const auto found = objects_.find(key);
  return found == objects_.end() ? Object() : found->second.front();
}

void GoneObjects::remove(const ObjectKey& key, std::string_view uid) {
  const MutexLock lock(mutex_);
  const auto found = objects_.find(key);
  if (found == objects_.end()) return;
  if (found->second.front().uid() == uid) found->second.pop_front();
  if (found->second.empty()) objects_.erase(found);
}

std::vector<ObjectKey> GoneObjects::keys() const {
  const MutexLock lock(mutex_);
  std::vector<ObjectKey> keys;
  keys.reserve(objects_.size());
  for (const auto& [key, objects] : objects_) keys.push_back(key);
  return keys;
}

}  // namespace pintle
