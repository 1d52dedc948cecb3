// Sources: what wakes an object besides its own changes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/required.hpp>
#include <pintle/base/result.hpp>
#include <pintle/controller/local_copies.hpp>
#include <pintle/controller/predicate.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

enum class OwnerMatch {
  controller,  // by the one owner reference with controller: true
  any,         // by every owner reference of our kind
};

struct OwnsOptions {
  OwnerMatch match = OwnerMatch::controller;
  std::string label_selector{};
  Predicate predicate{};
};

// A kind whose objects wake those that own them: ConfigMap::type, or Owns{Secret::type, {.match = OwnerMatch::any}}.
struct Owns {
  Owns(Type type, OwnsOptions with = {})
      : kind(type), options(std::move(with)) {}        // NOLINT(google-explicit-constructor)
  Owns(GroupVersionKind named, OwnsOptions with = {})  // NOLINT(google-explicit-constructor)
      : kind(std::move(named)), options(std::move(with)) {}

  GroupVersionKind kind;
  OwnsOptions options;
};

// The keys that an object leads to. Runs on the dispatcher's thread: it must not wait; one that throws is logged and
// leads nowhere.
using KeyMap = std::function<std::vector<ObjectKey>(const Object&)>;

// The same for a map that needs to know more than the one object: it may look at the local copies.
using KeyMapWithCopies = std::function<std::vector<ObjectKey>(const Object&, const LocalCopies&)>;

// A kind whose objects wake others by one of these maps.
struct Watches {
  Required<GroupVersionKind> kind;
  KeyMap map{};  // of a changed object: the keys of ours that it is about
  KeyMapWithCopies map_with_copies{};
  KeyMap references{};       // of one of ours: the keys it refers to; a change of one of them wakes all that do
  std::string cluster{};     // where; default: that of the controller
  std::string namespace_{};  // only this one; default: that of the controller, or of the cluster
  std::string label_selector{};
  std::string field_selector{};
  Predicate predicate{};
  std::optional<json::Value> crd{};  // installed as that of the controller's own kind is
};

// A map over a described struct: Watches{Secret::type, typed<Secret>([](const Secret& s) { … })}. An object that cannot
// be decoded leads nowhere.
template <Described T>
[[nodiscard]] KeyMap typed(std::function<std::vector<ObjectKey>(const T&)> map) {
  return [map = std::move(map)](const Object& object) -> std::vector<ObjectKey> {
    const auto decoded = decode<T>(object);
    if (!decoded) return {};
    return map(*decoded);
  };
}

// Wakes objects from the program's own code. Any thread may send; what is sent before a controller runs is kept, up to
// `capacity` keys. Thread-safe.
class EventChannel {
 public:
  explicit EventChannel(Runtime& runtime, std::size_t capacity = 1000);
  ~EventChannel();
  EventChannel(const EventChannel&) = delete;
  EventChannel& operator=(const EventChannel&) = delete;

  // `note` is shown as the cause. False when nobody takes it: the channel or the queue is full.
  bool send(ObjectKey key, std::string note = {});

 private:
  friend class ControllerRunner;
  using Sink = std::function<bool(const ObjectKey& key, std::string note)>;
  void open(Sink sink);
  void close();

  const std::size_t capacity_;
  Mutex mutex_;
  Sink sink_ PINTLE_GUARDED_BY(mutex_);
  std::vector<std::pair<ObjectKey, std::string>> kept_ PINTLE_GUARDED_BY(mutex_);
};

// A look at an outside system every so often, on a thread of its own.
struct Poll {
  std::string name{};
  Duration every = std::chrono::minutes(1);  // from the end of one look to the next
  // The objects to look at again. An error is logged, and the next look is at the usual time. May throw, which is one.
  std::function<Result<std::vector<ObjectKey>>(const std::stop_token&)> look{};
};

}  // namespace pintle
