// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/transport.hpp>

#include <exception>
#include <optional>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/base/stop.hpp>

#include "exchange.hpp"

namespace pintle::http {
namespace {

// Collects a response on the I/O thread for a waiting thread.
class Collector final : public ExchangeHandler {
 public:
  Collector(Executor& executor, std::size_t limit) : limit_(limit), mutex_(executor), changed_(executor) {}

  void on_head(const ResponseHead& head) override {
    MutexLock lock(mutex_);
    response_.status = head.status;
    response_.headers = head.headers;
    response_.name_lookup = head.name_lookup;
  }

  void on_body(std::string_view chunk) override {
    MutexLock lock(mutex_);
    if (too_large_) return;
    too_large_ = chunk.size() > limit_ - response_.body.size();
    if (!too_large_) {
      response_.body.append(chunk);
    } else {
      response_.body = {};
      changed_.notify_all();
    }
  }

  void on_end(Result<void> result) override {
    {
      MutexLock lock(mutex_);
      end_ = std::move(result);
    }
    changed_.notify_all();
  }

  // Returns true after the end of the exchange; false if the body is too large, so that the caller must cancel the
  // exchange.
  bool wait_for_end_or_excess() {
    MutexLock lock(mutex_);
    while (!end_.has_value() && !too_large_) changed_.wait(mutex_);
    return end_.has_value();
  }

  void wait_for_end() {
    MutexLock lock(mutex_);
    while (!end_.has_value()) changed_.wait(mutex_);
  }

  // Must be called once, after the end.
  Result<BufferedResponse> take(const std::string& what) {
    MutexLock lock(mutex_);
    if (too_large_) {
      return fail(ErrorCode::invalid, what + ": the response is larger than " + std::to_string(limit_) + " bytes");
    }
    if (!end_->has_value()) return fail(std::move(end_->error()));
    return std::move(response_);
  }

 private:
  const std::size_t limit_;
  Mutex mutex_;
  CondVar changed_;
  BufferedResponse response_ PINTLE_GUARDED_BY(mutex_);
  bool too_large_ PINTLE_GUARDED_BY(mutex_) = false;
  std::optional<Result<void>> end_ PINTLE_GUARDED_BY(mutex_);
};

// Buffers received data on the I/O thread until the waiting thread takes it.
class Pipe final : public ExchangeHandler {
 public:
  Pipe(Executor& executor, std::size_t limit) : limit_(limit), mutex_(executor), changed_(executor) {}

  void on_head(const ResponseHead& head) override {
    const MutexLock lock(mutex_);
    head_ = head;
    changed_.notify_all();
  }

  void on_body(std::string_view chunk) override {
    const MutexLock lock(mutex_);
    overflown_ = overflown_ || chunk.size() > limit_ - bytes_.size();
    if (!overflown_) bytes_.append(chunk);
    changed_.notify_all();
  }

  void on_end(Result<void> result) override {
    const MutexLock lock(mutex_);
    end_ = std::move(result);
    changed_.notify_all();
  }

  struct Part {
    std::optional<ResponseHead> head{};
    std::string bytes{};
    bool overflown = false;
    std::optional<Result<void>> end{};
  };
  // Waits for new data and takes it.
  Part take() {
    const MutexLock lock(mutex_);
    while (!head_ && bytes_.empty() && !overflown_ && !end_) changed_.wait(mutex_);
    return {std::exchange(head_, {}), std::exchange(bytes_, {}), overflown_, end_};
  }

  void wait_for_end() {
    const MutexLock lock(mutex_);
    while (!end_) changed_.wait(mutex_);
  }

 private:
  const std::size_t limit_;
  Mutex mutex_;
  CondVar changed_;
  std::optional<ResponseHead> head_ PINTLE_GUARDED_BY(mutex_);
  std::string bytes_ PINTLE_GUARDED_BY(mutex_);
  bool overflown_ PINTLE_GUARDED_BY(mutex_) = false;
  std::optional<Result<void>> end_ PINTLE_GUARDED_BY(mutex_);
};

// Returns nothing at the end of the exchange, true if the reader has enough, and false if the reader is too slow.
std::optional<bool> read_all(Pipe& pipe, const Reader& reader, Result<void>& end) {
  while (true) {
    Pipe::Part part = pipe.take();
    if (part.head && reader.on_head) reader.on_head(*part.head);
    if (!part.bytes.empty() && !reader.on_bytes(part.bytes)) return true;
    if (part.overflown) return false;
    if (!part.end) continue;
    end = std::move(*part.end);
    return {};
  }
}

// Returns an error if this thread must not block or a stop was requested.
Result<void> may_wait(Executor& executor, const Request& request, const std::stop_token& stop) {
  if (!executor.may_block()) {
    return fail(ErrorCode::unsupported, describe(request) + ": the call blocks, and it was made on thread \"" +
                                            std::string(executor.thread_name()) +
                                            "\", which must not block; make it in a reconcile or a task");
  }
  if (stop.stop_requested()) return fail(cancelled(request));
  return {};
}

}  // namespace

Result<BufferedResponse> Transport::send_and_wait(Request request, const std::stop_token& stop, std::size_t limit) {
  const std::string what = describe(request);
  const auto collector = std::make_shared<Collector>(executor(), limit);
  const ExchangeId exchange = start(std::move(request), collector);
  {
    const StopCallback on_stop(executor(), stop, [&] { cancel(exchange); });
    if (!collector->wait_for_end_or_excess()) {
      cancel(exchange);
      collector->wait_for_end();
    }
  }
  return collector->take(what);
}

Result<BufferedResponse> send(Transport& transport, Request request, std::stop_token stop, std::size_t limit) {
  Executor& executor = transport.executor();
  if (auto allowed = may_wait(executor, request, stop); !allowed) return fail(std::move(allowed.error()));
  executor.yield();
  return transport.send_and_wait(std::move(request), stop, limit);
}

Result<void> receive(Transport& transport, Request request, const Reader& reader, std::stop_token stop) {
  Executor& executor = transport.executor();
  if (auto allowed = may_wait(executor, request, stop); !allowed) return allowed;

  const std::string what = describe(request);
  const auto pipe = std::make_shared<Pipe>(executor, reader.buffer);
  executor.yield();
  const Transport::ExchangeId exchange = transport.start(std::move(request), pipe);
  const StopCallback on_stop(executor, std::move(stop), [&] { transport.cancel(exchange); });
  Result<void> end;
  std::optional<bool> enough = false;
  std::exception_ptr thrown;  // a thread must not wait while it unwinds the stack: other fibers would run meanwhile
  try {
    enough = read_all(*pipe, reader, end);
  } catch (...) {
    thrown = std::current_exception();
  }
  if (!enough) return end;
  transport.cancel(exchange);
  pipe->wait_for_end();
  if (thrown != nullptr) std::rethrow_exception(thrown);
  if (*enough) return {};
  return fail(ErrorCode::unavailable,
              what + ": the reader is too slow, more than " + std::to_string(reader.buffer) + " bytes are buffered");
}

}  // namespace pintle::http
