// What the environment says about exporting traces, by the variables of OpenTelemetry.
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

// Which traces are kept.
struct Sampling {
  double ratio = 1;            // of all that begin here
  bool follows_parent = true;  // a span that has a parent is kept if that one is

  [[nodiscard]] bool keeps(const SpanContext& parent, const SpanContext& span) const noexcept;
};

// How spans that have ended are put together and sent.
struct Batching {
  std::size_t most_waiting = 2048;                       // spans; a newer one is dropped
  std::size_t largest = 512;                             // spans that go together; not more than may wait
  Duration longest_wait = std::chrono::seconds(5);       // for a batch to become full
  Duration request_timeout = std::chrono::seconds(10);   // each time a batch is sent; zero: none
  Duration delivery_timeout = std::chrono::seconds(30);  // of a batch, however often it is sent; zero: none
};

struct OtlpSettings {
  std::shared_ptr<const http::Endpoint> endpoint{};
  std::string target{};
  http::Headers headers{};
  std::vector<SpanAttribute> resource{};  // who we are
  Sampling sampling{};
  Batching batching{};
};

// The value of an environment variable; "" for one that is not set, which is the same.
using ReadVariable = std::function<std::string(const std::string& name)>;

// Nothing unless OTEL_EXPORTER_OTLP_ENDPOINT, to which /v1/traces is added, or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is
// set, and with OTEL_SDK_DISABLED=true or OTEL_TRACES_EXPORTER=none. Read besides: OTEL_EXPORTER_OTLP_HEADERS,
// _PROTOCOL, _TIMEOUT and, where the endpoint is https, the files of _CERTIFICATE, _CLIENT_CERTIFICATE and _CLIENT_KEY,
// and the same of _TRACES_; OTEL_BSP_MAX_QUEUE_SIZE, _MAX_EXPORT_BATCH_SIZE, _SCHEDULE_DELAY and _EXPORT_TIMEOUT;
// OTEL_SERVICE_NAME (else `service`), OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER and its _ARG. Other variables are
// not read. Error: invalid, naming the variable and what it says, but for headers, which may be secrets.
[[nodiscard]] Result<std::optional<OtlpSettings>> read_otlp_settings(const ReadVariable& environment,
                                                                     const std::string& service,
                                                                     const std::string& version);

}  // namespace pintle
