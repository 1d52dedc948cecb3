#include <pintle/http/transport.hpp>

#include <optional>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/base/stop.hpp>

#include "exchange.hpp"

namespace pintle::http {
namespace {

// Collects an answer on the I/O thread for a thread that waits.
class Collector final : public ExchangeHandler {
 public:
  Collector(Runtime& runtime, std::size_t limit) : limit_(limit), mutex_(runtime), changed_(runtime) {}

  void on_head(const ResponseHead& head) override {
    MutexLock lock(mutex_);
    answer_.status = head.status;
    answer_.headers = head.headers;
  }

  void on_body(std::string_view chunk) override {
    MutexLock lock(mutex_);
    if (too_large_) return;
    too_large_ = chunk.size() > limit_ - answer_.body.size();
    if (!too_large_) {
      answer_.body.append(chunk);
    } else {
      answer_.body = {};
      changed_.notify_all();
    }
  }

  void on_end(Result<void> result) override {
    MutexLock lock(mutex_);
    end_ = std::move(result);
    changed_.notify_all();
  }

  // True when the end has come, false when it is time to cancel, because the body is too large.
  bool wait_for_end_or_excess() {
    MutexLock lock(mutex_);
    while (!end_.has_value() && !too_large_) changed_.wait(mutex_);
    return end_.has_value();
  }

  void wait_for_end() {
    MutexLock lock(mutex_);
    while (!end_.has_value()) changed_.wait(mutex_);
  }

  // Once, after the end.
  Result<Answer> take(const std::string& what) {
    MutexLock lock(mutex_);
    if (too_large_) {
      return fail(ErrorCode::invalid, what + ": the answer is larger than " + std::to_string(limit_) + " bytes");
    }
    if (!end_->has_value()) return fail(std::move(end_->error()));
    return std::move(answer_);
  }

 private:
  const std::size_t limit_;
  Mutex mutex_;
  Condition changed_;
  Answer answer_ PINTLE_GUARDED_BY(mutex_);
  bool too_large_ PINTLE_GUARDED_BY(mutex_) = false;
  std::optional<Result<void>> end_ PINTLE_GUARDED_BY(mutex_);
};

Error would_block(const Request& request, std::string_view thread) {
  return make_error(ErrorCode::unsupported,
                    describe(request) + ": a call that waits for its answer was made on thread \"" +
                        std::string(thread) + "\", which must not wait; make it in a reconcile or a task");
}

}  // namespace

Result<Answer> send(Transport& transport, Request request, std::stop_token stop, std::size_t limit) {
  Runtime& runtime = transport.runtime();
  if (!runtime.may_block()) return would_block(request, runtime.thread_name());
  if (stop.stop_requested()) return cancelled(request);

  const std::string what = describe(request);
  const auto collector = std::make_shared<Collector>(runtime, limit);
  runtime.yield();
  const Transport::ExchangeId exchange = transport.start(std::move(request), collector);
  {
    const StopCallback on_stop(runtime, std::move(stop), [&] { transport.cancel(exchange); });
    if (!collector->wait_for_end_or_excess()) {
      transport.cancel(exchange);
      collector->wait_for_end();
    }
  }
  return collector->take(what);
}

}  // namespace pintle::http
