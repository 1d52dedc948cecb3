// SPDX-License-Identifier: Apache-2.0
// OtlpOptions: the options of the trace export, read from the environment variables of OpenTelemetry.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/trace.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

// Decides which traces are recorded.
struct Sampling {
  double ratio = 1;            // share of the traces that begin in this process
  bool follows_parent = true;  // a span with a parent is recorded if its parent is

  [[nodiscard]] bool keeps(const SpanContext& parent, const SpanContext& span) const noexcept;
};

// How ended spans are combined into batches and sent.
struct Batching {
  std::size_t max_waiting = 2048;                        // spans; further ones are dropped
  std::size_t max_batch_size = 512;                      // spans of one batch; at most max_waiting
  Duration max_wait = std::chrono::seconds(5);           // after this time a batch is sent even if it is not full
  Duration request_timeout = std::chrono::seconds(10);   // of each attempt; zero: no limit
  Duration delivery_timeout = std::chrono::seconds(30);  // of all attempts for a batch; zero: no limit
};

struct OtlpOptions {
  std::shared_ptr<const http::Endpoint> endpoint{};
  std::string target{};
  http::Headers headers{};
  std::vector<SpanAttribute> resource{};  // identifies this process
  Sampling sampling{};
  Batching batching{};
};

// Returns the value of an environment variable, or "" if it is not set. Both cases are treated alike.
using ReadVariable = std::function<std::string(const std::string& name)>;

// Returns nothing if traces are not exported: if neither OTEL_EXPORTER_OTLP_ENDPOINT (to which /v1/traces is added) nor
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set, or with OTEL_SDK_DISABLED=true or OTEL_TRACES_EXPORTER=none. The following
// variables are also read, and no others:
// - OTEL_EXPORTER_OTLP_HEADERS, _PROTOCOL, _TIMEOUT and, for an https endpoint, the files of _CERTIFICATE,
//   _CLIENT_CERTIFICATE and _CLIENT_KEY; all of them also with the prefix OTEL_EXPORTER_OTLP_TRACES_;
// - OTEL_BSP_MAX_QUEUE_SIZE, _MAX_EXPORT_BATCH_SIZE, _SCHEDULE_DELAY and _EXPORT_TIMEOUT;
// - OTEL_SERVICE_NAME (default: `service`), OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG.
//
// Error: invalid, with the variable and its value. The value of a header is omitted, because it may be a secret.
[[nodiscard]] Result<std::optional<OtlpOptions>> read_otlp_options(const ReadVariable& environment,
                                                                   const std::string& service,
                                                                   const std::string& version);

}  // namespace pintle
