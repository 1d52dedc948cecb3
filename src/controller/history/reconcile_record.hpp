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

// A request or another part of a reconcile.
struct SpanRecord {
  std::string name{};  // "GET /api/v1/namespaces/{namespace}/pods/{name}"
  Duration after{};    // from the begin of the reconcile
  Duration took{};
  std::string error{};
};

// A plain value without objects, so that its size is known.
struct ReconcileRecord {
  static constexpr std::size_t max_causes = 4;
  static constexpr std::size_t max_writes = 16;
  static constexpr std::size_t max_spans = 20;

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
  std::vector<SpanRecord> spans{};
  std::size_t spans_dropped = 0;
  std::string trace_id{};

  // Returns the estimated memory in bytes.
  [[nodiscard]] std::size_t bytes() const;
};

}  // namespace pintle
