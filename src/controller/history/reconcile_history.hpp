// SPDX-License-Identifier: Apache-2.0
// ReconcileHistory: the last reconciles of all controllers of a manager.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>

#include "reconcile_record.hpp"

namespace pintle {

// Keeps at most `limit` records, at most 20 of one object, and at most `limit` times 4 KiB. The oldest one is dropped
// first, so an object in a hot loop does not displace the others. The last error of an object is kept until a reconcile
// of it has another outcome, also when its records are dropped: of at most `limit` objects, or of `min_errors` if that
// is more. Thread-safe.
class ReconcileHistory {
 public:
  static constexpr std::size_t max_of_object = 20;
  static constexpr std::size_t mean_bytes = 4096;
  static constexpr std::size_t min_errors = 1000;
  static constexpr std::size_t max_error_bytes = 1024;

  using Record = std::shared_ptr<const ReconcileRecord>;
  // Members that are empty select everything.
  struct Filter {
    std::string controller{};
    std::optional<ObjectKey> key{};
    std::string outcome{};

    [[nodiscard]] bool accepts(const ReconcileRecord& record) const;
  };
  struct Size {
    std::size_t records = 0;
    std::size_t bytes = 0;
  };

  ReconcileHistory(Executor& executor, std::size_t limit) : limit_(limit), mutex_(executor) {}

  void add(ReconcileRecord record);
  // Returns the newest records that the filter accepts, the newest first.
  [[nodiscard]] std::vector<Record> newest(const Filter& filter, std::size_t count) const;
  // Returns the records with a higher id, the oldest first.
  [[nodiscard]] std::vector<Record> after(std::uint64_t id) const;
  // Returns the error of the last reconcile of an object; "" if it did not fail, or is not known.
  [[nodiscard]] std::string last_error(const std::string& controller, const ObjectKey& key) const;
  // The id of the newest record; 0: there was none.
  [[nodiscard]] std::uint64_t last_id() const;
  [[nodiscard]] std::size_t limit() const noexcept { return limit_; }
  [[nodiscard]] Size size() const;

 private:
  using OfObject = std::pair<std::string, ObjectKey>;  // controller and key
  struct LastError {
    std::uint64_t id = 0;  // of the record
    std::string text{};
  };

  void drop(std::uint64_t id) PINTLE_REQUIRES(mutex_);
  void note_error(const ReconcileRecord& record) PINTLE_REQUIRES(mutex_);
  void drop_error(std::map<OfObject, LastError>::iterator at) PINTLE_REQUIRES(mutex_);

  const std::size_t limit_;
  mutable Mutex mutex_;
  std::map<std::uint64_t, Record> records_ PINTLE_GUARDED_BY(mutex_);
  std::map<OfObject, std::deque<std::uint64_t>> ids_ PINTLE_GUARDED_BY(mutex_);
  std::map<OfObject, LastError> errors_ PINTLE_GUARDED_BY(mutex_);
  std::map<std::uint64_t, OfObject> with_error_ PINTLE_GUARDED_BY(mutex_);  // by the id of the record
  std::size_t bytes_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::size_t bytes_of_errors_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::uint64_t last_id_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle
