// WriteObservers: who is told of writes, by kind.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/client/write_observer.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {

// Thread-safe; observers are called under no lock.
class WriteObservers {
 public:
  explicit WriteObservers(Executor& executor) : mutex_(executor) {}

  void add(const GroupVersionKind& kind, std::weak_ptr<WriteObserver> observer);

  // The object in the answer to a write: as the observer keeps it where there is one alone, else the whole of it, since
  // each may keep something else.
  [[nodiscard]] Result<Object> read(const GroupVersionKind& kind, std::string_view answer) const;
  // The object before a write; none when no observer has it.
  [[nodiscard]] Object known(const GroupVersionKind& kind, const ObjectKey& key) const;
  void written(const GroupVersionKind& kind, const Result<Object>& answer, std::optional<std::string_view> from,
               bool made_it) const;
  // `answer` is what a server says to a successful DELETE: a Status, or what is left of the object, or what it was.
  void removed(const GroupVersionKind& kind, const ObjectKey& key, const http::Answer& answer) const;
  void create_failed(const GroupVersionKind& kind, const Error& error) const;
  // All but the one that has found it.
  void set_back(const WriteObserver& found_by) const;

 private:
  using Observers = std::vector<std::shared_ptr<WriteObserver>>;
  [[nodiscard]] Observers of(const GroupVersionKind& kind) const;

  mutable Mutex mutex_;
  std::map<GroupVersionKind, std::vector<std::weak_ptr<WriteObserver>>> by_kind_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
