#include <pintle/cache/store.hpp>

#include <utility>

namespace pintle {

Object Store::get(ObjectKeyView key) const {
  const MutexLock lock(mutex_);
  return objects_.find(key);
}

std::vector<Object> Store::list(std::string_view namespace_) const {
  const MutexLock turn(listing_);
  const MutexLock lock(mutex_);
  return objects_.list(namespace_);
}

std::size_t Store::size() const {
  const MutexLock lock(mutex_);
  return objects_.size();
}

Object Store::put(Object object) {
  const MutexLock lock(mutex_);
  return objects_.put(std::move(object));
}

Object Store::erase(ObjectKeyView key) {
  const MutexLock lock(mutex_);
  return objects_.erase(key);
}

ObjectTable Store::replace(ObjectTable objects) {
  const MutexLock lock(mutex_);
  return std::exchange(objects_, std::move(objects));
}

}  // namespace pintle
