// Applier: server-side apply of children, with ownership checked and nothing sent that would change nothing.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <tuple>

#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/runtime/context.hpp>

namespace pintle {

// One a controller. Remembers the last intent of each child, by the object whose pass sent it; forget() bounds that to
// the objects that exist. Thread-safe.
class Applier {
 public:
  Applier(Client& client, std::string field_manager);

  // `cached`: the local copy of the child, if its kind is watched; null when it is not.
  Result<Object> apply(const ObjectKey& from, const json::Value& intent, ApplyOptions options, const Object* cached,
                       const std::stop_token& stop);
  // Whether the local copy of a child, perhaps none, lacks what was last sent for it, which is what is wanted again.
  [[nodiscard]] bool has_drifted(const ObjectKey& from, const json::Value& intent, const Object& cached) const;
  // Whether a set of children in this state was the last that has been pruned.
  [[nodiscard]] bool has_pruned(const ObjectKey& from, const std::string& state) const;
  void remember_pruned(const ObjectKey& from, std::string state);
  void forget(const ObjectKey& from);

 private:
  using ChildId = std::tuple<GroupVersionKind, ObjectKey>;

  bool was_sent(const ObjectKey& from, const ChildId& child, const std::string& text) const;
  void remember(const ObjectKey& from, const ChildId& child, std::string text);

  Client& client_;
  const std::string field_manager_;
  mutable Mutex mutex_;
  std::map<ObjectKey, std::map<ChildId, std::string>> sent_ PINTLE_GUARDED_BY(mutex_);
  std::map<ObjectKey, std::string> pruned_ PINTLE_GUARDED_BY(mutex_);
};

// Whether everything in `intent` is so in `there`: objects by their members, lists of owner references and finalizers
// by their elements, everything else by equality.
[[nodiscard]] bool contains(json::View there, json::View intent);

}  // namespace pintle
