// SPDX-License-Identifier: Apache-2.0
#include "signing_transport.hpp"

#include <atomic>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>

namespace pintle {

namespace {

bool is_watch(const http::Request& request) {
  return http::parse_target(request.target).parameter("watch").has_value();
}

// Calls on_end on the I/O thread, or wherever the transport drops the function that it must not run any more.
class FailedEnd {
 public:
  FailedEnd(std::shared_ptr<http::ExchangeHandler> handler, Error error)
      : handler_(std::move(handler)), error_(std::move(error)) {}
  ~FailedEnd() { handler_->on_end(fail(std::move(error_))); }
  FailedEnd(const FailedEnd&) = delete;
  FailedEnd& operator=(const FailedEnd&) = delete;

 private:
  const std::shared_ptr<http::ExchangeHandler> handler_;
  Error error_;
};

}  // namespace

// The exchanges that have not ended. Does not own the credentials: a receiver may be the last owner of this object, on
// the thread of the credentials.
class SigningTransport::Exchanges final : public EndpointObserver, public std::enable_shared_from_this<Exchanges> {
 public:
  explicit Exchanges(std::shared_ptr<http::Transport> inner) : inner_(std::move(inner)), mutex_(inner_->executor()) {}

  // Adds an exchange that has not started.
  ExchangeId add(http::Request request, std::shared_ptr<http::ExchangeHandler> handler);
  // Starts the exchange, or ends it with an error. Does nothing if it was cancelled.
  void proceed(ExchangeId id, const Result<RequestCredentials>& credentials);
  void cancel(ExchangeId id);
  void cancel_waiting();
  void on_endpoint_change() override;

 private:
  class Forwarder;
  // An exchange waits (request), is being started (neither), or has started (inner).
  struct Entry {
    std::shared_ptr<Forwarder> forwarder;
    std::optional<http::Request> request;
    std::optional<ExchangeId> inner{};
    bool is_cancelled = false;
  };

  void end_later(const std::shared_ptr<Forwarder>& forwarder, Error error);
  void forget(ExchangeId id);

  const std::shared_ptr<http::Transport> inner_;
  Mutex mutex_;
  std::map<ExchangeId, Entry> entries_ PINTLE_GUARDED_BY(mutex_);
  ExchangeId last_id_ PINTLE_GUARDED_BY(mutex_) = 0;
};

// Passes the response to the handler of the caller. Replaces the result of a watch that ends for new certificates.
class SigningTransport::Exchanges::Forwarder final : public http::ExchangeHandler {
 public:
  Forwarder(std::weak_ptr<Exchanges> exchanges, std::shared_ptr<http::ExchangeHandler> handler, bool is_watch)
      : exchanges_(std::move(exchanges)), handler_(std::move(handler)), is_watch_(is_watch) {}

  void set_id(ExchangeId id) { id_ = id; }
  [[nodiscard]] bool is_watch() const noexcept { return is_watch_; }
  void replace_end() { is_replaced_ = true; }

  void on_head(const http::ResponseHead& head) override {
    has_head_ = true;
    handler_->on_head(head);
  }
  void on_body(std::string_view chunk) override { handler_->on_body(chunk); }
  void on_end(Result<void> result) override {
    if (const auto exchanges = exchanges_.lock()) exchanges->forget(id_);
    if (is_replaced_ && !result && result.error().code == ErrorCode::cancelled) {
      result = has_head_ ? Result<void>()
                         : fail(ErrorCode::unavailable, "the certificates of the cluster configuration have changed");
    }
    handler_->on_end(std::move(result));
  }

 private:
  const std::weak_ptr<Exchanges> exchanges_;
  const std::shared_ptr<http::ExchangeHandler> handler_;
  const bool is_watch_;
  ExchangeId id_ = 0;
  bool has_head_ = false;
  std::atomic<bool> is_replaced_ = false;
};

http::Transport::ExchangeId SigningTransport::Exchanges::add(http::Request request,
                                                             std::shared_ptr<http::ExchangeHandler> handler) {
  auto forwarder = std::make_shared<Forwarder>(weak_from_this(), std::move(handler), pintle::is_watch(request));
  const MutexLock lock(mutex_);
  const ExchangeId id = ++last_id_;
  forwarder->set_id(id);
  entries_.emplace(id, Entry{std::move(forwarder), std::move(request)});
  return id;
}

void SigningTransport::Exchanges::proceed(ExchangeId id, const Result<RequestCredentials>& credentials) {
  http::Request request;
  std::shared_ptr<Forwarder> forwarder;
  {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;  // cancelled
    forwarder = found->second.forwarder;
    request = std::move(*std::exchange(found->second.request, std::nullopt));
    if (!credentials) entries_.erase(found);
  }
  if (!credentials) return end_later(forwarder, credentials.error());
  if (request.endpoint == nullptr) credentials->apply(request);
  const ExchangeId inner = inner_->start(std::move(request), forwarder);
  bool is_cancelled = false;
  {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;  // it has ended already
    found->second.inner = inner;
    is_cancelled = found->second.is_cancelled;
  }
  if (is_cancelled) inner_->cancel(inner);
}

void SigningTransport::Exchanges::cancel(ExchangeId id) {
  std::shared_ptr<Forwarder> waiting;
  std::optional<ExchangeId> inner;
  {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    found->second.is_cancelled = true;
    inner = found->second.inner;
    if (found->second.request) {
      waiting = found->second.forwarder;
      entries_.erase(found);
    }
  }
  if (waiting != nullptr)
    end_later(waiting, make_error(ErrorCode::cancelled, "cancelled while waiting for credentials"));
  if (inner) inner_->cancel(*inner);
}

void SigningTransport::Exchanges::cancel_waiting() {
  std::vector<ExchangeId> waiting;
  {
    const MutexLock lock(mutex_);
    for (const auto& [id, entry] : entries_) {
      if (entry.request) waiting.push_back(id);
    }
  }
  for (const ExchangeId id : waiting) cancel(id);
}

void SigningTransport::Exchanges::on_endpoint_change() {
  std::vector<ExchangeId> watches;
  {
    const MutexLock lock(mutex_);
    for (auto& [id, entry] : entries_) {
      if (!entry.forwarder->is_watch() || entry.request) continue;
      entry.forwarder->replace_end();
      entry.is_cancelled = true;
      if (entry.inner) watches.push_back(*entry.inner);
    }
  }
  for (const ExchangeId watch : watches) inner_->cancel(watch);
}

void SigningTransport::Exchanges::end_later(const std::shared_ptr<Forwarder>& forwarder, Error error) {
  inner_->post([ending = std::make_shared<FailedEnd>(forwarder, std::move(error))]() mutable { ending.reset(); });
}

void SigningTransport::Exchanges::forget(ExchangeId id) {
  const MutexLock lock(mutex_);
  entries_.erase(id);
}

SigningTransport::SigningTransport(const std::shared_ptr<http::Transport>& inner,
                                   std::shared_ptr<Credentials> credentials)
    : ForwardingTransport(inner), exchanges_(std::make_shared<Exchanges>(inner)), credentials_(std::move(credentials)) {
  credentials_->add_observer(exchanges_);
}

SigningTransport::~SigningTransport() { exchanges_->cancel_waiting(); }

http::Transport::ExchangeId SigningTransport::start(http::Request request,
                                                    std::shared_ptr<http::ExchangeHandler> handler) {
  const bool is_signed = request.endpoint != nullptr;
  const ExchangeId id = exchanges_->add(std::move(request), std::move(handler));
  if (is_signed) {
    exchanges_->proceed(id, RequestCredentials());
    return id;
  }
  const auto credentials =
      credentials_->try_get([weak = std::weak_ptr(exchanges_), id](const Result<RequestCredentials>& obtained) {
        if (const auto exchanges = weak.lock()) exchanges->proceed(id, obtained);
      });
  if (credentials) exchanges_->proceed(id, *credentials);
  return id;
}

void SigningTransport::cancel(ExchangeId exchange) { exchanges_->cancel(exchange); }

Result<http::BufferedResponse> SigningTransport::send_and_wait(http::Request request, const std::stop_token& stop,
                                                               std::size_t limit) {
  const bool is_signed = request.endpoint != nullptr;
  if (is_signed) return inner().send_and_wait(std::move(request), stop, limit);
  return ForwardingTransport::send_and_wait(std::move(request), stop, limit);
}

void SigningTransport::stop() {
  exchanges_->cancel_waiting();
  ForwardingTransport::stop();
}

}  // namespace pintle
