// SPDX-License-Identifier: Apache-2.0
#include "form_cache.hpp"

#include <utility>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

std::string key_of(const Resource& resource, const Object& stored) {
  return fmt::format("{} {} {} {}", resource.collection, resource.version, stored.uid(), stored.resource_version());
}

}  // namespace

Object FormCache::find(const Resource& resource, const Object& stored) const {
  const std::string key = key_of(resource, stored);
  const MutexLock lock(mutex_);
  const auto found = forms_.find(key);
  const bool is_current =
      found != forms_.end() && found->second.conversion == resource.conversion && found->second.stored == stored;
  return is_current ? found->second.form : Object();
}

void FormCache::keep(const Resource& resource, const Object& stored, Object form) {
  std::string key = key_of(resource, stored);
  const MutexLock lock(mutex_);
  Entry& entry = forms_[key];
  if (entry.conversion == nullptr) order_.push_back(std::move(key));
  entry = {.conversion = resource.conversion, .stored = stored, .form = std::move(form)};
  if (order_.size() <= max_forms_) return;
  forms_.erase(order_.front());
  order_.pop_front();
}

}  // namespace pintle::apiserver
