// SPDX-License-Identifier: Apache-2.0
// ReconcileCause: one reason why a reconcile runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// A plain value. It contains the changed object before and after the change; a copy increments two reference counts.
struct PINTLE_EXPORT ReconcileCause {
  enum class Source {
    initial,     ///< the object existed when the operator started
    change,      ///< the object itself changed
    owned,       ///< an object that it owns changed
    mapped,      ///< an object of another kind that maps to it changed
    channel,     ///< a ChannelSource sent its key
    poll,        ///< a Poll returned its key
    retry,       ///< the last reconcile failed or returned `requeue`
    timer,       ///< the last reconcile requested a delay
    resync,      ///< Controller::resync_period has elapsed
    schedule,    ///< a time of Controller::schedule
    overflow,    ///< the full queue rejected keys, so all objects are reconciled
    activation,  ///< the server has begun to serve an owned kind, see OwnsOptions::if_served
  };
  enum class Verb { none, added, updated, deleted };

  Source source = Source::change;
  Verb verb = Verb::none;
  /// The changed object; after a deletion its last state. Null if the source has no object, or if the change arrived
  /// before the workers ran, for example in a standby, and was not part of the initial list.
  Object object{};
  Object before{};  ///< the previous state, for an update only
  /// Details for messages: the note of a channel, the name of a poll, the schedule, the kind of an activation, the
  /// cluster of a mapped object ("in cluster b"), or the reason of a quarantine.
  std::string note{};
  Instant enqueued_at{};  ///< when the cause was added to the queue
  Instant due{};          ///< when the reconcile is due, for a retry, timer, schedule and Controller::resync_period;
                          ///< otherwise Instant{}, which means immediately
  unsigned retry = 0;     ///< number of retries in a row, for Source::retry
  int priority = 0;       ///< priority with which the cause was added
  /// The change only confirms a write by a reconcile of this controller; see Controller.
  bool is_own_write = false;
  std::vector<std::string> merged_versions{};  ///< see Change::merged_versions

  /// Returns the JSON pointers at which `object` differs from `before`, at most `max_count` and without resourceVersion
  /// and managedFields. Empty unless the verb is `updated`.
  [[nodiscard]] std::vector<std::string> changed(std::size_t max_count = 16) const;

  /// Returns, for example, "owned v1 ConfigMap default/a updated (version 7: /data/text)".
  [[nodiscard]] std::string to_string() const;
};

/// Returns the texts of all causes, separated by "; ".
[[nodiscard]] PINTLE_EXPORT std::string to_string(const std::vector<ReconcileCause>& causes);
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(ReconcileCause::Source source) noexcept;
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(ReconcileCause::Verb verb) noexcept;

}  // namespace pintle
