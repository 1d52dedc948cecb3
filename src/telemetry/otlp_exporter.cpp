// SPDX-License-Identifier: Apache-2.0
#include "otlp_exporter.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/random.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/client/client.hpp>
#include <pintle/json/document.hpp>

namespace pintle {
namespace {

constexpr unsigned max_retries = 5;
constexpr Backoff retry_backoff{
    .base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::seconds(30), .jitter = 1};
constexpr Duration max_retry_after = std::chrono::minutes(5);

constexpr std::size_t max_attributes = 128;
constexpr std::size_t max_events = 128;
constexpr std::size_t max_text_size = std::size_t{4} << 10U;  // bytes

std::string cut(std::string_view text) { return std::string(truncate_utf8(text, max_text_size)); }

// Follows the table of OTLP/HTTP. With any other code, the collector would reject the batch again.
bool may_succeed_later(const Error& error) {
  if (error.http_status == 0) return error.code == ErrorCode::unreachable || error.code == ErrorCode::timeout;
  return error.http_status == 429 || (error.http_status >= 502 && error.http_status <= 504);
}

template <std::size_t Size>
std::array<std::uint8_t, Size> new_id(Executor& executor) {
  static_assert(Size % sizeof(std::uint64_t) == 0);
  std::array<std::uint8_t, Size> id{};
  for (std::size_t i = 0; i < Size; i += sizeof(std::uint64_t)) {
    std::uint64_t bits = std::max<std::uint64_t>(executor.random(), 1);
    for (std::size_t k = 0; k < sizeof bits; ++k, bits >>= 8U) id[i + k] = static_cast<std::uint8_t>(bits);
  }
  return id;
}

// Returns false if there is no room for another attribute.
bool put(std::vector<SpanAttribute>& into, SpanAttribute attribute) {
  if (const std::string* text = attribute.value.as_string()) attribute.value = LogValue(cut(*text));
  const auto known = std::ranges::find(into, attribute.name, &SpanAttribute::name);
  if (known != into.end()) {
    known->value = std::move(attribute.value);
  } else if (into.size() < max_attributes) {
    into.push_back(std::move(attribute));
  } else {
    return false;
  }
  return true;
}

}  // namespace

// Always has a context. The other data is only kept if the trace is sampled.
class OtlpExporter::RecordedSpan final : public Span {
 public:
  RecordedSpan(OtlpExporter& exporter, const SpanContext& context, StartSpanOptions start) : exporter_(exporter) {
    span_.context = context;
    if (!context.sampled) return;
    span_.begun = exporter.executor_.wall_now();
    auto attributes = std::exchange(start.attributes, {});
    span_.start = std::move(start);
    for (SpanAttribute& attribute : attributes) set_attribute(std::move(attribute));
  }
  ~RecordedSpan() override {
    if (!span_.context.sampled) return;
    // The wall clock may have been set back meanwhile.
    span_.ended = std::max(exporter_.executor_.wall_now(), span_.begun);
    exporter_.take(std::move(span_));
  }
  RecordedSpan(const RecordedSpan&) = delete;
  RecordedSpan& operator=(const RecordedSpan&) = delete;

  [[nodiscard]] const SpanContext& context() const noexcept override { return span_.context; }
  void set_attribute(SpanAttribute attribute) final {
    if (span_.context.sampled && !put(span_.start.attributes, std::move(attribute))) ++span_.dropped_attributes;
  }
  void add_event(std::string_view name, std::vector<SpanAttribute> attributes) override {
    if (!span_.context.sampled) return;
    if (span_.events.size() >= max_events) {
      ++span_.dropped_events;
      return;
    }
    SpanEvent event{.name = cut(name), .at = exporter_.executor_.wall_now()};
    for (SpanAttribute& attribute : attributes) {
      if (!put(event.attributes, std::move(attribute))) ++event.dropped_attributes;
    }
    span_.events.push_back(std::move(event));
  }
  void set_error(std::string_view what) override {
    if (span_.context.sampled) span_.error = cut(what);
  }

 private:
  OtlpExporter& exporter_;
  FinishedSpan span_;
};

OtlpExporter::OtlpExporter(std::shared_ptr<http::Transport> transport, OtlpOptions options, Log log,
                           MetricsRegistry& metrics)
    : transport_(std::move(transport)),
      executor_(transport_->executor()),
      options_(std::move(options)),
      log_(std::move(log)),
      exported_(metrics.counter("pintle_trace_spans_exported_total", "Spans that the collector accepted.")),
      dropped_at_bound_(dropped(metrics, "too_many_wait")),
      dropped_unsent_(dropped(metrics, "not_sent")),
      dropped_by_collector_(dropped(metrics, "rejected")),
      mutex_(executor_),
      changed_(executor_),
      thread_(executor_.spawn({.name = "traces"}, [this] { run(); })) {}

OtlpExporter::~OtlpExporter() { stop(Duration::zero()); }

Counter OtlpExporter::dropped(MetricsRegistry& metrics, const char* why) {
  return metrics.counter("pintle_trace_spans_dropped_total", "Spans that the collector did not receive or rejected.",
                         {{"why", why}});
}

std::unique_ptr<Span> OtlpExporter::start(StartSpanOptions start) {
  const SpanContext context = new_context(start.parent);
  return std::make_unique<RecordedSpan>(*this, context, std::move(start));
}

SpanContext OtlpExporter::new_context(const SpanContext& parent) {
  SpanContext context{.trace_id = parent.is_valid() ? parent.trace_id : new_id<16>(executor_),
                      .span_id = new_id<8>(executor_)};
  context.sampled = options_.sampling.keeps(parent, context);
  return context;
}

void OtlpExporter::take(FinishedSpan span) {
  const MutexLock lock(mutex_);
  if (stopping_) return dropped_unsent_.add();
  const Batching& batching = options_.batching;
  if (waiting_.size() >= batching.max_waiting) return dropped_at_bound_.add();
  if (waiting_.empty()) due_ = after(executor_.now(), batching.max_wait);
  waiting_.push_back(std::move(span));
  if (waiting_.size() == 1 || waiting_.size() == batching.max_batch_size) changed_.notify_all();
}

void OtlpExporter::run() {
  for (Batch batch = next_batch(); !batch.empty(); batch = next_batch()) deliver(batch);
  const MutexLock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

// Returns an empty batch if all spans have been sent and no more are accepted.
OtlpExporter::Batch OtlpExporter::next_batch() {
  const std::size_t largest = options_.batching.max_batch_size;
  const MutexLock lock(mutex_);
  const auto is_due = [&]() PINTLE_REQUIRES(mutex_) {
    return waiting_.size() >= largest || (!waiting_.empty() && executor_.now() >= due_);
  };
  while (!stopping_ && !is_due()) changed_.wait_until(mutex_, waiting_.empty() ? Instant::max() : due_);
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), largest));
  Batch batch(std::move_iterator(waiting_.begin()), std::move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return batch;
}

void OtlpExporter::deliver(const Batch& batch) {
  const Batching& batching = options_.batching;
  const bool is_timed = batching.delivery_timeout > Duration::zero();
  const Instant deadline = is_timed ? after(executor_.now(), batching.delivery_timeout) : Instant::max();
  http::Request request{.method = "POST",
                        .target = options_.target,
                        .headers = options_.headers,
                        .body = print_otlp(options_.resource, batch),
                        .endpoint = options_.endpoint,
                        .timeout = batching.request_timeout,
                        .deadline = deadline};
  request.headers.set("Content-Type", "application/json");
  for (unsigned attempt = 0;; ++attempt) {
    const auto response = post(request);
    if (response) {
      const std::size_t rejected = std::min(rejected_in(*response), batch.size());
      dropped_by_collector_.add(static_cast<double>(rejected));
      exported_.add(static_cast<double>(batch.size() - rejected));
      return;
    }
    const Error& error = response.error();
    if (error.code != ErrorCode::cancelled) failing(error.to_string());
    if (attempt == max_retries || !may_succeed_later(error)) break;
    const Duration pause = std::min(
        error.retry_after.value_or(retry_backoff.delay(attempt, Random::to_unit(executor_.random()))), max_retry_after);
    if (after(executor_.now(), pause) >= deadline || !executor_.sleep_for(pause, stop_.get_token())) break;
  }
  dropped_unsent_.add(static_cast<double>(batch.size()));
}

Result<http::BufferedResponse> OtlpExporter::post(const http::Request& request) {
  auto response = http::send(*transport_, request, stop_.get_token());
  if (!response || (response->status >= 200 && response->status < 300)) return response;
  return fail(error_from_response(response->status, response->headers, response->body)
                  .with_operation("POST " + request.target));
}

// A collector that accepts a request may still reject some of its spans. They must not be sent again.
std::size_t OtlpExporter::rejected_in(const http::BufferedResponse& response) {
  const auto body = json::Document::parse(response.body);
  const json::View partial = body ? body->root().member("partialSuccess") : json::View();
  const json::View count = partial.member("rejectedSpans");
  std::size_t rejected = static_cast<std::size_t>(count.as_unsigned().value_or(0));
  std::from_chars(count.text().data(), count.text().data() + count.text().size(), rejected);
  if (rejected == 0) {
    exporting();
  } else {
    failing("the collector rejects spans: " + cut(partial.member("errorMessage").text()));
  }
  return rejected;
}

void OtlpExporter::failing(const std::string& why) {
  if (std::exchange(is_failing_, true)) return;
  log_.warning("traces cannot be exported; further failures are not logged until an export succeeds",
               {{"collector", options_.endpoint->url()}, {"error", why}});
}

void OtlpExporter::exporting() {
  if (std::exchange(is_failing_, false)) log_.info("traces are exported again");
}

void OtlpExporter::stop(Duration grace) {
  {
    const MutexLock lock(mutex_);
    const Instant deadline = after(executor_.now(), grace);
    stopping_ = true;
    changed_.notify_all();
    while (!ended_ && changed_.wait_until(mutex_, deadline)) {}
  }
  stop_.request_stop();
  thread_.join();
}

}  // namespace pintle
