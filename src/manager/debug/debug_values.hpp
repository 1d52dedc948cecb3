// SPDX-License-Identifier: Apache-2.0
// The JSON values of the debug API, as debug_v1.json defines them.
#pragma once

#include <pintle/base/executor.hpp>
#include <pintle/json/value.hpp>

#include "controller/runner/controller_runner.hpp"
#include "log_tail.hpp"
#include "manager/cache_health.hpp"
#include "readiness.hpp"
#include "replicas.hpp"

namespace pintle {

// The time at which a response is made.
struct Moment {
  Instant now{};
  WallTime wall{};

  explicit Moment(const Executor& executor) : now(executor.now()), wall(executor.wall_now()) {}
  [[nodiscard]] std::string text_of(Instant time) const { return format_micro_time(wall + (time - now)); }
};

[[nodiscard]] double seconds_of(Duration duration);
// Sets a member unless the text is empty.
void set_text(json::object& value, std::string_view name, std::string_view text);

// Sets readiness, reason and message.
void set_readiness(json::object& value, const Readiness& readiness);

[[nodiscard]] json::object kind_value(const GroupVersionKind& kind);
[[nodiscard]] json::object controller_value(const ControllerRunner& controller);
[[nodiscard]] json::object entry_value(const QueueEntry& entry, const Moment& moment);
[[nodiscard]] json::object reconcile_value(const ReconcileRecord& record);
[[nodiscard]] json::object cache_value(const CacheHealth::Cache& cache, const Moment& moment);
// `leader` is the identity of the leader, or "".
[[nodiscard]] json::object replica_value(const Replica& replica, std::string_view leader);
[[nodiscard]] json::object line_value(const LogLine& line);

}  // namespace pintle
