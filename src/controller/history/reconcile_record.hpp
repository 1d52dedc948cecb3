// SPDX-License-Identifier: Apache-2.0
// ReconcileRecord: what one reconcile did, for the debug API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/controller/reconcile_cause.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// One difference that a write made. The values are texts of shown_value(); "" if the member did not exist.
struct WrittenChange {
  std::string pointer{};
  std::string before{};
  std::string after{};
};

struct WriteRecord {
  static constexpr std::size_t max_changes = 16;

  const char* verb = "";  // create, update or delete
  GroupVersionKind kind{};
  ObjectKey key{};
  std::string version{};  // after the write
  std::vector<WrittenChange> changes{};
  std::size_t changes_dropped = 0;
};

struct CauseRecord {
  ReconcileCause::Source source{};
  std::string text{};
  WallTime queued_at{};
};

// A plain value without objects, so that its size is known.
struct ReconcileRecord {
  static constexpr std::size_t max_causes = 4;
  static constexpr std::size_t max_writes = 16;

  std::uint64_t id = 0;  // set by ReconcileHistory::add()
  std::string controller{};
  ObjectKey key{};
  WallTime begun{};
  Duration took{};
  Duration queued{};      // from the time when the first cause was due to the begin
  std::string outcome{};  // success, requeue, requeueAfter or error
  Duration delay{};       // of requeueAfter
  std::string error{};
  std::vector<CauseRecord> causes{};
  std::size_t causes_dropped = 0;
  std::vector<WriteRecord> writes{};
  std::size_t writes_dropped = 0;
  std::string trace_id{};

  // Returns the estimated memory in bytes.
  [[nodiscard]] std::size_t bytes() const;
};

}  // namespace pintle
