// SPDX-License-Identifier: Apache-2.0
// FieldDisputes: limits how often this controller and another client overwrite the same field in turn.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/controller/reconcile_cause.hpp>
#include <pintle/object/object.hpp>

#include "overwritten_fields.hpp"

namespace pintle {

// Both clients succeed, and the write of each makes the key of the other due, so that neither would ever stop. A
// dispute begins with the first write that takes back a field and is not free (OverwrittenFields). Each write of a
// dispute delays the reconciles that changes of its fields cause: by 1 s, 2 s, 4 s and so on, at most `max_delay`. The
// dispute ends when it had no write for `quiet`. While it lasts, other changes cause at most `other_burst` reconciles
// at once and one more in each `max_delay`: the other client may change further fields each time. A deletion and causes
// that are no change are never delayed.
//
// If the other client overwrites each write at once, changes cause at most 100 reconciles of the key in the first hour,
// and at most 24 in each further one. At most `most` keys have a dispute; beyond that all are dropped, and begin anew.
// Not thread-safe.
class FieldDisputes {
 public:
  static constexpr Duration first_delay = std::chrono::seconds(1);
  static constexpr Duration max_delay = std::chrono::minutes(5);
  static constexpr Duration quiet = std::chrono::minutes(10);
  static constexpr int other_burst = 20;
  static constexpr std::size_t most = 4096;
  static constexpr std::size_t max_fields = 16;  // of one dispute

  struct Field {
    GroupVersionKind kind{};
    ObjectKey object{};
    std::string uid{};
    std::string pointer{};  // "": the object itself
  };

  // Stores a write by a reconcile of `key`. Returns whether it took back a field.
  bool note(const ObjectKey& key, const GroupVersionKind& kind, const Object& written,
            const std::vector<WrittenField>& fields, Instant now);
  // Returns when the key may be reconciled for these causes. If this is `now`, the reconcile is counted.
  [[nodiscard]] Instant turn(const ObjectKey& key, const std::vector<ReconcileCause>& causes, bool has_unknown_causes,
                             Instant now);
  // Merges the changes of the same object that only change fields of the dispute.
  void merge(const ObjectKey& key, std::vector<ReconcileCause>& causes, Instant now) const;
  // Returns the first field of a dispute that was not reported yet. It counts as reported then.
  [[nodiscard]] std::optional<Field> take_unreported(const ObjectKey& key);
  // The object of the key no longer exists.
  void forget(const ObjectKey& key) { disputes_.erase(key); }

 private:
  struct Dispute {
    std::vector<Field> fields{};
    int writes = 0;         // with a growing delay
    Instant last{};         // the last write
    Instant not_before{};   // the next reconcile for changes of these fields
    Instant others_full{};  // when all reconciles for other changes are available again
    bool is_reported = false;

    [[nodiscard]] bool has(const GroupVersionKind& kind, const Object& object, const std::string& pointer) const;
    void add(const GroupVersionKind& kind, const Object& object, const std::string& pointer);
    [[nodiscard]] bool is_about(const ReconcileCause& cause) const;
  };

  [[nodiscard]] Dispute* find(const ObjectKey& key, Instant now);
  Dispute& begin(const ObjectKey& key, Instant now);
  static bool is_allowed_other(Dispute& dispute, Instant now);

  OverwrittenFields fields_;
  std::unordered_map<ObjectKey, Dispute> disputes_;
};

}  // namespace pintle
