// SPDX-License-Identifier: Apache-2.0
// print_otlp: prints spans as OTLP/JSON, a format that collectors accept.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/trace.hpp>

namespace pintle {

struct SpanEvent {
  std::string name{};
  WallTime at{};
  std::vector<SpanAttribute> attributes{};
  std::size_t dropped_attributes = 0;
};

// A span that has ended.
struct FinishedSpan {
  SpanContext context{};
  StartSpanOptions start{};  // including attributes that were set later
  WallTime begun{};
  WallTime ended{};
  std::vector<SpanEvent> events{};
  std::optional<std::string> error{};
  std::size_t dropped_attributes = 0;
  std::size_t dropped_events = 0;
};

// Returns an ExportTraceServiceRequest with the spans of one resource. Text that is not UTF-8 is sanitized.
[[nodiscard]] std::string print_otlp(const std::vector<SpanAttribute>& resource,
                                     const std::vector<FinishedSpan>& spans);

}  // namespace pintle
