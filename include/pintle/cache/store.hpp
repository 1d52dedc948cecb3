// SPDX-License-Identifier: Apache-2.0
// Store: the cached objects of one kind.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/index.hpp>
#include <pintle/cache/object_range.hpp>
#include <pintle/cache/object_table.hpp>

namespace pintle {

class IndexDefinition;

/// Objects by key. Readers receive handles on immutable snapshots; nothing is copied. A range shows the objects and the
/// indexes at one moment. Readers and the writer wait for each other at most during one change of one object or, while
/// an index is built, during the insertion of 64 objects into it. Lists and searches by an index run without a lock.
/// Thread-safe, but only one thread at a time may write.
class PINTLE_EXPORT Store {
 public:
  explicit Store(Executor& executor) : mutex_(executor) {}

  /// Returns an empty Object if there is none with this key.
  [[nodiscard]] Object get(ObjectKeyView key) const;
  /// The objects of one namespace, or of all namespaces if it is "", in the order of their keys. Constant time for all
  /// namespaces; logarithmic for one.
  [[nodiscard]] ObjectRange range(std::string_view namespace_ = {}) const;
  /// The objects of all namespaces whose keys are after this one.
  [[nodiscard]] ObjectRange range_after(ObjectKeyView key) const;
  /// The objects that an index lists under a value, in the order of their keys. If `namespace_` is not "", only the
  /// objects of that namespace. The first search by a built-in index builds the index, which takes some milliseconds
  /// for 10,000 objects. At most max_label_indexes indexes of labels are built; a search by a further label reads all
  /// objects of the namespace. Returns nothing if there is no index with this name.
  [[nodiscard]] std::optional<ObjectRange> find(const IndexQuery& query, std::string_view namespace_ = {}) const;
  /// The number of objects that find() would read. Builds indexes as find() does, but reads no objects.
  [[nodiscard]] std::optional<std::size_t> count(const IndexQuery& query, std::string_view namespace_ = {}) const;
  /// As range(namespace_).to_vector().
  [[nodiscard]] std::vector<Object> list(std::string_view namespace_ = {}) const;
  [[nodiscard]] std::size_t size() const;
  /// The number of objects that range(), list() and find() have read. A high number means that lists lack an index.
  [[nodiscard]] std::uint64_t examined() const noexcept { return examined_.load(std::memory_order_relaxed); }

  static constexpr std::size_t max_label_indexes = 16;

  /// Called when an index function fails for an object. Several threads may call it at the same time.
  using IndexErrorHandler =
      std::function<void(const std::string& index, const Object& object, const std::string& error)>;
  /// Adds an index, which contains the objects that are in the store. Returns false if there is one with this name.
  bool add_index(std::string name, IndexFunction keys, IndexErrorHandler on_error = {});

  /// Only the informer writes to the store. put() and erase() return the previous object, or an empty one. They call
  /// the functions of the indexes without a lock of the store.
  Object put(Object object);
  Object erase(ObjectKeyView key);
  /// Replaces all objects at once and returns the previous ones. A table from new_table() is not indexed again.
  ObjectTable replace(ObjectTable objects);
  /// Returns an empty table that maintains the indexes of this store.
  [[nodiscard]] ObjectTable new_table() const;

 private:
  struct Search;
  [[nodiscard]] std::optional<Search> prepare(const std::string& index) const;
  bool build(const std::shared_ptr<const IndexDefinition>& definition) const;
  void note_examined(std::size_t objects) const noexcept { examined_.fetch_add(objects, std::memory_order_relaxed); }
  [[nodiscard]] std::shared_ptr<const TableIndexes> indexes() const;
  [[nodiscard]] internal::SharedRef<TableState> state() const;

  mutable Mutex mutex_;
  // Mutable, because a search may add a built-in index.
  mutable ObjectTable objects_ PINTLE_GUARDED_BY(mutex_);
  mutable std::atomic<std::uint64_t> examined_ = 0;
};

}  // namespace pintle
