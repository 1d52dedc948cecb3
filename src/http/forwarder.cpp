// SPDX-License-Identifier: Apache-2.0
#include "forwarder.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/base/text.hpp>

#include "names.hpp"

namespace pintle::http {
namespace {

constexpr std::size_t max_waiting = std::size_t{16} << 20U;  // bytes for a slow reader; more end the response
constexpr Duration patience_for_streams = std::chrono::seconds(30);
constexpr Duration patience_for_others = std::chrono::minutes(2);  // kube-apiserver ends a request after one minute

bool is_of_connection(std::string_view name) {
  constexpr std::array<std::string_view, 7> names{"connection", "transfer-encoding", "content-length", "keep-alive",
                                                  "host",       "authorization",     "accept-encoding"};
  return std::find(names.begin(), names.end(), to_lower_ascii(name)) != names.end();
}

// An exchange between the I/O thread of the transport and the reader of the response.
class StreamedExchange final : public ExchangeHandler {
 public:
  explicit StreamedExchange(Executor& executor) : mutex_(executor), changed_(executor) {}

  void on_head(const ResponseHead& head) override {
    const MutexLock lock(mutex_);
    head_ = head;
    changed_.notify_all();
  }
  void on_body(std::string_view chunk) override {
    const MutexLock lock(mutex_);
    if (body_.size() + chunk.size() > max_waiting) {
      end(fail(ErrorCode::unavailable, "the client reads too slowly"));
    } else if (!ended_) {
      body_ += chunk;
      if (wake_) wake_();
    }
  }
  void on_end(Result<void> result) override {
    const MutexLock lock(mutex_);
    end(std::move(result));
  }

  // Error: that of the exchange, if it ended without a head, or a timeout.
  [[nodiscard]] Result<ResponseHead> wait_for_head(Instant deadline) {
    const MutexLock lock(mutex_);
    while (!head_ && !ended_) {
      if (!changed_.wait_until(mutex_, deadline)) return fail(ErrorCode::timeout, "no response");
    }
    if (head_) return *head_;
    return *ended_ ? fail(ErrorCode::unavailable, "an empty response") : fail(ended_->error());
  }
  [[nodiscard]] BodyStream::State read(std::string& out) {
    const MutexLock lock(mutex_);
    out += std::exchange(body_, {});
    if (!ended_) return BodyStream::State::waiting;
    return *ended_ ? BodyStream::State::ended : BodyStream::State::broken;
  }
  void set_wake(std::function<void()> wake) {
    const MutexLock lock(mutex_);
    wake_ = std::move(wake);
  }

 private:
  void end(Result<void> result) PINTLE_REQUIRES(mutex_) {
    if (!ended_) ended_ = std::move(result);
    changed_.notify_all();
    if (wake_) wake_();
  }

  Mutex mutex_;
  CondVar changed_;
  std::optional<ResponseHead> head_ PINTLE_GUARDED_BY(mutex_);
  std::string body_ PINTLE_GUARDED_BY(mutex_);
  std::optional<Result<void>> ended_ PINTLE_GUARDED_BY(mutex_);
  std::function<void()> wake_ PINTLE_GUARDED_BY(mutex_);  // called under the lock, so never after it was removed
};

class ExchangeBody final : public BodyStream {
 public:
  ExchangeBody(std::shared_ptr<Transport> transport, Transport::ExchangeId id,
               std::shared_ptr<StreamedExchange> exchange)
      : transport_(std::move(transport)), id_(id), exchange_(std::move(exchange)) {}
  ~ExchangeBody() override {
    exchange_->set_wake({});
    transport_->cancel(id_);
  }
  ExchangeBody(const ExchangeBody&) = delete;
  ExchangeBody& operator=(const ExchangeBody&) = delete;

  [[nodiscard]] State read(std::string& out) override { return exchange_->read(out); }
  void on_ready(std::function<void()> wake) override { exchange_->set_wake(std::move(wake)); }

 private:
  const std::shared_ptr<Transport> transport_;
  const Transport::ExchangeId id_;
  const std::shared_ptr<StreamedExchange> exchange_;
};

bool identifies(std::string_view name) {
  const std::string lower = to_lower_ascii(name);
  return lower == "authorization" || lower.starts_with("impersonate-");
}

// Adds the credentials in `own` to `headers`. They replace an impersonation by the client.
Headers with_identity(const Headers& headers, const Headers& own) {
  Headers out;
  bool impersonates = false;
  for (const auto& [name, value] : own) {
    if (!identifies(name)) continue;
    out.add(name, value);
    impersonates = impersonates || !same_name(name, "Authorization");
  }
  for (const auto& [name, value] : headers) {
    if (!impersonates || !identifies(name)) out.add(name, value);
  }
  return out;
}

}  // namespace

Headers end_to_end_headers(const Headers& headers) {
  Headers out;
  for (const auto& [name, value] : headers) {
    if (!is_of_connection(name)) out.add(name, value);
  }
  return out;
}

Result<Response> start_streamed(const std::shared_ptr<Transport>& transport, Request request, Duration patience) {
  Executor& executor = transport->executor();
  auto exchange = std::make_shared<StreamedExchange>(executor);
  const auto id = transport->start(std::move(request), exchange);
  auto head = exchange->wait_for_head(executor.now() + patience);
  if (!head) {
    transport->cancel(id);
    return fail(std::move(head.error()));
  }
  return Response{.status = head->status,
                  .headers = end_to_end_headers(head->headers),
                  .stream = std::make_unique<ExchangeBody>(transport, id, std::move(exchange))};
}

Response Forwarder::handle(const Request& request) {
  return {.deferred = [this, request] { return forward(request); }};
}

Response Forwarder::forward(const Request& request) const {
  auto prepared = options_.prepare();
  if (!prepared) return options_.error_response(502, prepared.error().message);
  prepared->method = request.method;
  prepared->target = request.target;
  prepared->body = request.body;
  prepared->headers = with_identity(end_to_end_headers(request.headers), prepared->headers);
  const bool streams = options_.streams(request);
  prepared->timeout = streams ? Duration{} : patience_for_others;
  prepared->idle_timeout = {};
  if (streams) {
    auto response = start_streamed(options_.transport, std::move(*prepared), patience_for_streams);
    return response ? std::move(*response) : options_.error_response(502, response.error().message);
  }
  auto response = send(*options_.transport, std::move(*prepared));
  if (!response) return options_.error_response(502, response.error().message);
  return {
      .status = response->status, .headers = end_to_end_headers(response->headers), .body = std::move(response->body)};
}

}  // namespace pintle::http
