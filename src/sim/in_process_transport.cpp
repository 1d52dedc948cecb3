// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/in_process_transport.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "faults.hpp"
#include "http/exchange.hpp"
#include "http/loop.hpp"
#include "http/net/server/blocking_pool.hpp"

namespace pintle::http {
namespace {

constexpr std::size_t chunk_size = std::size_t{64} << 10U;

Error dropped(const Request& request) {
  return make_error(ErrorCode::unreachable, describe(request) + ": no response, because of the fault plan");
}
Error broken_off(const Request& request) {
  return make_error(ErrorCode::unreachable, describe(request) + ": the response ends early, because of the fault plan");
}

}  // namespace

// An exchange runs through four functions of the loop: open(), hand_over(), deliver(), and pump() as often as the body
// requires. A cancellation, a timeout or a crash can occur between any two of them. The faults are decided in open(),
// so that requests are counted in the order in which they are sent.
class InProcessTransport::Server {
 public:
  Server(Executor& executor, Handler& handler, FaultPlan plan, std::size_t max_deferred)
      : executor_(executor),
        handler_(handler),
        faults_(executor, std::move(plan)),
        loop_(executor),
        pool_(executor, max_deferred, max_queued_responses) {
    loop_.start([this] { run(); });
  }

  ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) {
    const ExchangeId id = next_id_++;
    const Instant started = executor_.now();
    auto exchange = std::make_shared<Exchange>(loop_, std::move(request), std::move(handler));
    if (!loop_.post([this, id, exchange, started] { open(id, exchange, started); }, Loop::AtClose::run)) {
      exchange->end(cancelled(exchange->request()));
    }
    return id;
  }

  void cancel(ExchangeId id) {
    loop_.post([this, id] { end_cancelled(id); });
  }

  void crash() {
    crashed_ = true;
    loop_.post([this] { end_all(); });
  }

  bool is_crashed() const noexcept { return crashed_; }
  // The plan applies to the requests that are started after this call.
  void set_faults(FaultPlan plan) {
    loop_.post([this, plan = std::move(plan)]() mutable { faults_.set(std::move(plan)); });
  }
  const Faults& faults() const noexcept { return faults_; }
  Loop& loop() noexcept { return loop_; }

 private:
  // Set by a stream on any thread. Several wakes before the next pump() count as one.
  using Woken = std::shared_ptr<std::atomic<bool>>;

  struct Open {
    std::shared_ptr<Exchange> exchange;
    Effects effects{};
    Response response{};
    std::size_t delivered = 0;  // bytes of a body without a stream
    Woken woken = std::make_shared<std::atomic<bool>>(false);
    Loop::TimerId deadline = 0;  // of a waiting stream
  };

  void run() {
    while (loop_.run_due()) loop_.wait();
    end_all();
  }

  void open(ExchangeId id, const std::shared_ptr<Exchange>& exchange, Instant started) {
    exchange->arm(started, [this, id](Error error) { end(id, std::move(error)); });
    Effects effects = faults_.decide(exchange->request());
    const Duration delay = effects.delay;
    open_.emplace(id, Open{.exchange = exchange, .effects = std::move(effects)});
    if (delay > Duration::zero()) {
      loop_.start_timer(after(executor_.now(), delay), [this, id] { hand_over(id); });
    } else {
      loop_.post([this, id] { hand_over(id); });
    }
  }

  void hand_over(ExchangeId id) {
    executor_.yield();
    Open* open = find(id);
    if (open == nullptr) return;
    if (auto allowed = open->exchange->before_send(); !allowed) return end(id, std::move(allowed));
    const Effects& effects = open->effects;
    if (effects.crash && !effects.crash->after_commit) return crash_by(*effects.crash);
    if (effects.drop && !effects.drop->after_commit) return end(id, dropped(open->exchange->request()));
    if (effects.error_response && !effects.error_response->after_commit) {
      open->response = response_of(*effects.error_response);
    } else {
      open->response = handler_.handle(open->exchange->request());
    }
    take(id, *open);
  }

  void take(ExchangeId id, Open& open) {
    if (open.response.delayed.make_response) return hold(id, std::move(open.response.delayed));
    if (open.response.deferred) return await(id, open, std::move(open.response.deferred));
    if (open.effects.response_delay > Duration::zero()) {
      loop_.start_timer(after(executor_.now(), open.effects.response_delay), [this, id] { deliver(id); });
    } else {
      loop_.post([this, id] { deliver(id); });
    }
  }

  void hold(ExchangeId id, Response::Delayed delayed) {
    loop_.start_timer(after(executor_.now(), delayed.delay),
                      [this, id, make_response = std::move(delayed.make_response)] {
                        Open* open = find(id);
                        if (open == nullptr) return;
                        open->response = make_response();
                        take(id, *open);
                      });
  }

  void await(ExchangeId id, const Open& open, std::function<Response()> deferred) {
    const auto respond = [this, id](Response made) {
      auto response = std::make_shared<Response>(std::move(made));
      loop_.post([this, id, response] { on_awaited(id, std::move(*response)); });
    };
    const Response::Flow& flow = open.response.flow;
    const bool runs = pool_.run({.run = [respond, deferred = std::move(deferred)] { respond(deferred()); },
                                 .refuse = [respond] { respond(too_busy()); },
                                 .flow = flow.name.empty() ? open.exchange->request().peer_address : flow.name,
                                 .high_priority = flow.high_priority});
    if (!runs) on_awaited(id, too_busy());
  }

  void on_awaited(ExchangeId id, Response response) {
    Open* open = find(id);
    if (open == nullptr) return;
    open->response = std::move(response);
    take(id, *open);
  }

  void deliver(ExchangeId id) {
    executor_.yield();
    Open* open = find(id);
    if (open == nullptr) return;
    if (open->effects.crash) return crash_by(*open->effects.crash);
    if (open->effects.error_response && open->effects.error_response->after_commit)
      open->response = response_of(*open->effects.error_response);
    if (open->effects.drop || open->response.status == 0) return end(id, dropped(open->exchange->request()));
    open->exchange->head({.status = open->response.status, .headers = open->response.headers});
    open->effects.body.alter(open->response, executor_);
    if (open->response.stream != nullptr) {
      open->response.stream->on_ready([this, id, woken = open->woken] { wake(id, woken); });
    }
    pump(id);
  }

  void crash_by(Crash crash) {  // by value: the exchange that contains it ends here
    crashed_ = true;
    end_all();
    if (crash.then) crash.then();
  }

  static void forward(Open& open, std::string_view bytes) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), chunk_size))) {
      open.exchange->body(bytes.substr(0, chunk_size));
    }
  }

  void wake(ExchangeId id, const Woken& woken) {
    if (!woken->exchange(true)) pump_soon(id);
  }

  void pump_soon(ExchangeId id) {
    loop_.post([this, id] { pump(id); });
  }

  void pump(ExchangeId id) {
    Open* open = find(id);
    if (open == nullptr) return;
    if (open->response.stream != nullptr) {
      pump_stream(id, *open);
    } else {
      pump_body(id, *open);
    }
  }

  void pump_body(ExchangeId id, Open& open) {
    const auto rest = std::string_view(open.response.body).substr(open.delivered);
    const auto chunk = rest.substr(0, chunk_size);
    open.delivered += chunk.size();
    forward(open, chunk);
    if (chunk.size() == rest.size()) {
      end(id, {});
    } else {
      pump_soon(id);
    }
  }

  void pump_stream(ExchangeId id, Open& open) {
    *open.woken = false;  // reset before the read; otherwise a wake during the read would be lost
    std::string chunk;
    const BodyStream::State state = open.response.stream->read(chunk);
    forward(open, chunk);
    if (state == BodyStream::State::ended) return end(id, {});
    if (state == BodyStream::State::broken) return end(id, broken_off(open.exchange->request()));
    if (state == BodyStream::State::more) return pump_soon(id);
    loop_.cancel_timer(open.deadline);
    const Instant deadline = open.response.stream->next_deadline();
    if (deadline != Instant::max()) open.deadline = loop_.start_timer(deadline, [this, id] { pump(id); });
  }

  // Returns the exchange, or null if it has ended. After a crash, ends it.
  Open* find(ExchangeId id) {
    if (crashed_) end_cancelled(id);
    const auto found = open_.find(id);
    return found == open_.end() ? nullptr : &found->second;
  }

  void end(ExchangeId id, Result<void> result) {
    auto node = open_.extract(id);
    if (node.empty()) return;
    Open& open = node.mapped();
    loop_.cancel_timer(open.deadline);
    open.response.stream.reset();  // the server observes the disconnect before the client can react to the end
    open.exchange->end(std::move(result));
  }

  void end_cancelled(ExchangeId id) {
    const auto found = open_.find(id);
    if (found != open_.end()) end(id, cancelled(found->second.exchange->request()));
  }

  void end_all() {
    while (!open_.empty()) end_cancelled(open_.begin()->first);
  }

  Executor& executor_;
  Handler& handler_;
  Faults faults_;
  std::atomic<ExchangeId> next_id_ = 1;
  std::atomic<bool> crashed_ = false;
  std::map<ExchangeId, Open> open_;  // used on the I/O thread only
  Loop loop_;
  BlockingPool pool_;
};

InProcessTransport::InProcessTransport(Executor& executor, Handler& handler, FaultPlan faults, std::size_t max_deferred)
    : server_(std::make_unique<Server>(executor, handler, std::move(faults), max_deferred)) {}

InProcessTransport::~InProcessTransport() { stop(); }

Transport::ExchangeId InProcessTransport::start(Request request, std::shared_ptr<ExchangeHandler> handler) {
  return server_->start(std::move(request), std::move(handler));
}

void InProcessTransport::cancel(ExchangeId exchange) { server_->cancel(exchange); }

void InProcessTransport::post(std::function<void()> function) { server_->loop().post(std::move(function)); }

Transport::TimerId InProcessTransport::start_timer(Instant at, std::function<void()> function) {
  return server_->loop().start_timer(at, std::move(function));
}

void InProcessTransport::cancel_timer(TimerId timer) { server_->loop().cancel_timer(timer); }

void InProcessTransport::stop() { server_->loop().stop(); }

Executor& InProcessTransport::executor() noexcept { return server_->loop().executor(); }

void InProcessTransport::crash() { server_->crash(); }

bool InProcessTransport::is_crashed() const noexcept { return server_->is_crashed(); }

void InProcessTransport::set_faults(FaultPlan faults) { server_->set_faults(std::move(faults)); }

std::uint64_t InProcessTransport::calls() const { return server_->faults().calls(); }

std::uint64_t InProcessTransport::injected_faults() const { return server_->faults().hits(); }

}  // namespace pintle::http
