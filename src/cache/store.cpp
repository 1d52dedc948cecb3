#include <pintle/cache/store.hpp>

#include <utility>

namespace pintle {

Object Store::get(const ObjectKey& key) const {
  const MutexLock lock(mutex_);
  const auto found = objects_.find(key);
  return found == objects_.end() ? Object() : found->second;
}

std::vector<Object> Store::list(std::string_view namespace_) const {
  const MutexLock lock(mutex_);
  std::vector<Object> objects;
  auto at = namespace_.empty() ? objects_.begin() : objects_.lower_bound({std::string(namespace_), ""});
  for (; at != objects_.end() && (namespace_.empty() || at->first.namespace_ == namespace_); ++at) {
    objects.push_back(at->second);
  }
  return objects;
}

std::size_t Store::size() const {
  const MutexLock lock(mutex_);
  return objects_.size();
}

Object Store::put(Object object) {
  ObjectKey key = object.key();
  const MutexLock lock(mutex_);
  std::swap(objects_[std::move(key)], object);
  return object;
}

Object Store::erase(const ObjectKey& key) {
  const MutexLock lock(mutex_);
  auto node = objects_.extract(key);
  return node.empty() ? Object() : std::move(node.mapped());
}

std::map<ObjectKey, Object> Store::replace(std::map<ObjectKey, Object> objects) {
  const MutexLock lock(mutex_);
  objects_.swap(objects);
  return objects;
}

}  // namespace pintle
