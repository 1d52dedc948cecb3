// SPDX-License-Identifier: Apache-2.0
#include "write_observers.hpp"

#include <utility>

namespace pintle {
namespace {

constexpr int first_server_error = 500;
const GroupVersionKind every_kind;

Object with_identity(const GroupVersionKind& kind, const ObjectKey& key) {
  return Object(json::Value{{"apiVersion", kind.api_version()},
                            {"kind", kind.kind},
                            {"metadata", {{"name", key.name}, {"namespace", key.namespace_}}}});
}

// Whether the server may have carried out the write: no response arrived, or the server failed with a 5xx code.
bool may_be_done(const Error& error) { return error.http_status == 0 || error.http_status >= first_server_error; }

}  // namespace

void WriteObservers::add(const GroupVersionKind& kind, std::weak_ptr<WriteObserver> observer) {
  const MutexLock lock(mutex_);
  auto& observers = by_kind_[kind];
  const auto added = observer.lock();
  std::erase_if(observers, [&](const auto& known) { return known.expired() || known.lock() == added; });
  observers.push_back(std::move(observer));
}

WriteObservers::Observers WriteObservers::of(const GroupVersionKind& kind) const {
  Observers all;
  const MutexLock lock(mutex_);
  const auto found = by_kind_.find(kind);
  if (found == by_kind_.end()) return all;
  for (const auto& observer : found->second) {
    if (auto locked = observer.lock()) all.push_back(std::move(locked));
  }
  return all;
}

WriteObservers::Observers WriteObservers::all_of(const GroupVersionKind& kind) const {
  Observers all = of(kind);
  for (auto& observer : of(every_kind)) all.push_back(std::move(observer));
  return all;
}

Result<Object> WriteObservers::read(const GroupVersionKind& kind, std::string_view response) const {
  const Observers all = of(kind);
  if (all.size() == 1) {
    if (auto object = all.front()->read(response)) return std::move(*object);
  }
  return Object::parse(response);
}

Object WriteObservers::known(const GroupVersionKind& kind, const ObjectKey& key) const {
  for (const auto& observer : of(kind)) {
    if (Object object = observer->cached(key)) return object;
  }
  return {};
}

void WriteObservers::written(const GroupVersionKind& kind, const Result<Object>& response,
                             std::optional<std::string_view> from, bool made_it, const Object& before) const {
  if (!response || response->group_version_kind() != kind) return;
  for (const auto& observer : all_of(kind)) observer->on_written(*response, from, made_it, before);
}

void WriteObservers::removed(const GroupVersionKind& kind, const ObjectKey& key, const http::BufferedResponse& response,
                             const Object& before) const {
  const Observers all = all_of(kind);
  if (all.empty()) return;
  const auto parsed = Object::parse(response.body);
  if (!parsed) return;
  const bool is_status = parsed->kind() == "Status" && parsed->api_version() == "v1";
  if (!is_status && parsed->is_deleting()) {
    written(kind, parsed, {}, false, before);
    for (const auto& observer : all) observer->on_deleting(*parsed, before);
    return;
  }
  const std::string_view uid = is_status ? (*parsed)["/details/uid"].text() : parsed->uid();
  if (uid.empty()) return;
  for (const auto& observer : of(kind)) observer->on_removed(key, uid, before);
  for (const auto& observer : of(every_kind)) {
    observer->on_removed(key, uid, before ? before : with_identity(kind, key));
  }
}

void WriteObservers::create_failed(const GroupVersionKind& kind, const Error& error) const {
  if (!may_be_done(error)) return;
  for (const auto& observer : of(kind)) observer->on_pending_create();
}

void WriteObservers::rewound(const WriteObserver& found_by) const {
  Observers all;
  {
    const MutexLock lock(mutex_);
    for (const auto& [kind, observers] : by_kind_) {
      for (const auto& observer : observers) {
        if (auto locked = observer.lock(); locked && locked.get() != &found_by) all.push_back(std::move(locked));
      }
    }
  }
  for (const auto& observer : all) observer->on_rewind();
}

}  // namespace pintle
