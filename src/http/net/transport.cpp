#include <pintle/http/net_transport.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include <curl/curl.h>

#include <pintle/base/text.hpp>

#include "easy.hpp"
#include "http/exchange.hpp"
#include "http/loop.hpp"
#include "poller.hpp"
#include "signals.hpp"

namespace pintle::http {
namespace {

// libcurl closes a connection by itself that has been idle for 118 s.
constexpr Duration old_identity_time = std::chrono::minutes(2);

// The status of "HTTP/1.1 200 OK", or 0 for another line.
int status_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  int status = 0;
  if (!line.starts_with("HTTP/") || space == std::string_view::npos) return 0;
  std::from_chars(line.data() + space + 1, line.data() + line.size(), status);
  return status;
}

// An exchange and the libcurl handle that transfers it.
class Transfer final : public Easy::Receiver {
 public:
  Transfer(Transport::ExchangeId of, std::shared_ptr<Exchange> with, Easy by)
      : id(of), exchange(std::move(with)), easy(std::move(by)) {}

  void on_header_line(std::string_view line) override {
    if (exchange->has_head()) return;  // a trailer
    if (const int status = status_of(line); status != 0) {
      head_ = {.status = status};
    } else if (line.empty()) {
      const bool is_interim = head_.status < 200 && head_.status != 101;
      if (is_interim) return;
      head_.name_lookup = easy.name_lookup(*exchange->request().endpoint);
      exchange->head(head_);
    } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      head_.headers.add(line.substr(0, colon), std::string(trim(line.substr(colon + 1))));
    }
  }
  void on_chunk(std::string_view chunk) override { exchange->body(chunk); }

  // libcurl sends a request again if a kept connection turns out to be closed. The server may have executed the request
  // before, so only GET and HEAD are sent again.
  bool may_send() override {
    const std::string& method = exchange->request().method;
    if (sends_ != 0 && method != "GET" && method != "HEAD") return false;
    allowed_ = exchange->before_send();
    if (allowed_) ++sends_;
    return allowed_.has_value();
  }
  [[nodiscard]] bool was_sent() const noexcept { return sends_ != 0; }
  // The last result of Request::before_send.
  [[nodiscard]] const Result<void>& allowed() const noexcept { return allowed_; }

  const Transport::ExchangeId id;
  const std::shared_ptr<Exchange> exchange;
  Easy easy;

 private:
  ResponseHead head_;
  int sends_ = 0;
  Result<void> allowed_;
};

class NetworkTransport final : public Transport {
 public:
  NetworkTransport(Executor& executor, NetworkOptions options)
      : executor_(executor), options_(options), loop_(executor, [this] { poller_.wake(); }) {
    // Thread-safe since libcurl 7.84; the calls are counted.
    curl_global_init(CURL_GLOBAL_DEFAULT);
    loop_.start([this] { run(); });
  }
  ~NetworkTransport() override { stop(); }
  NetworkTransport(const NetworkTransport&) = delete;
  NetworkTransport& operator=(const NetworkTransport&) = delete;

  ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) override {
    const ExchangeId id = next_id_++;
    const Instant started = executor_.now();
    auto exchange = std::make_shared<Exchange>(loop_, std::move(request), std::move(handler));
    if (!loop_.post([this, id, exchange, started] { begin(id, exchange, started); }, Loop::AtClose::run)) {
      exchange->end(cancelled(exchange->request()));
    }
    return id;
  }
  void cancel(ExchangeId exchange) override {
    loop_.post([this, exchange] { end_cancelled(exchange); });
  }
  void post(std::function<void()> function) override { loop_.post(std::move(function)); }
  TimerId start_timer(Instant at, std::function<void()> function) override {
    return loop_.start_timer(at, std::move(function));
  }
  void cancel_timer(TimerId timer) override { loop_.cancel_timer(timer); }
  void stop() override { loop_.stop(); }
  Executor& executor() noexcept override { return executor_; }

 private:
  // --- the I/O thread ---

  void run() {
    block_broken_pipe_signal();
    open_multi();
    while (loop_.run_due()) turn();
    while (!transfers_.empty()) end_cancelled(transfers_.begin()->first);
    spare_.clear();
    curl_multi_cleanup(multi_);
  }

  void open_multi() {
    multi_ = curl_multi_init();
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &NetworkTransport::on_socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &NetworkTransport::on_timer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_PIPELINING, long{CURLPIPE_NOTHING});
    // CURLMOPT_MAXCONNECTS also counts connections in use, so a smaller value would close kept connections while
    // watches are open.
    curl_multi_setopt(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, static_cast<long>(options_.max_connections));
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(options_.max_connections));
  }

  [[nodiscard]] bool usable() const noexcept { return multi_ != nullptr && poller_.usable(); }

  void turn() {
    if (!usable()) return loop_.wait();
    poller_.prepare();
    const Instant due = std::min(loop_.next_due(), curl_due_);
    const auto events = poller_.wait(until(due));
    // Timers run first: this thread may have been suspended (a stopped process, a suspended machine), and a request
    // that has timed out meanwhile must not send the rest of its body.
    loop_.run_timers();
    for (const epoll_event& event : events) {
      int mask = 0;
      if ((event.events & EPOLLIN) != 0) mask |= CURL_CSELECT_IN;
      if ((event.events & EPOLLOUT) != 0) mask |= CURL_CSELECT_OUT;
      if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) mask |= CURL_CSELECT_ERR;
      act(event.data.fd, mask);
    }
    if (curl_due_ <= executor_.now()) {
      curl_due_ = Instant::max();
      act(CURL_SOCKET_TIMEOUT, 0);
    }
    end_done();
  }

  [[nodiscard]] Duration until(Instant due) const {
    if (due == Instant::max()) return Duration::max();
    return due == Instant::min() ? Duration::zero() : due - executor_.now();
  }

  void act(curl_socket_t socket, int mask) {
    int running = 0;
    curl_multi_socket_action(multi_, socket, mask, &running);
  }

  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
    std::uint32_t events = 0;
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) events |= EPOLLIN;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) events |= EPOLLOUT;
    static_cast<NetworkTransport*>(self)->poller_.watch(socket, events);
    return 0;
  }

  static int on_timer(CURLM*, long milliseconds, void* pointer) {
    auto* self = static_cast<NetworkTransport*>(pointer);
    self->curl_due_ =
        milliseconds < 0 ? Instant::max() : after(self->executor_.now(), std::chrono::milliseconds(milliseconds));
    return 0;
  }

  // --- exchanges ---

  void begin(ExchangeId id, const std::shared_ptr<Exchange>& exchange, Instant started) {
    const Request& request = exchange->request();
    if (request.endpoint == nullptr) {
      return exchange->end(fail(ErrorCode::invalid, describe(request) + ": the request has no endpoint"));
    }
    // An early check, which avoids a useless connection. The decisive check is in may_send(), when there is a
    // connection.
    if (auto allowed = exchange->before_send(); !allowed) return exchange->end(std::move(allowed));
    if (!usable()) {
      return exchange->end(fail(ErrorCode::unreachable, describe(request) +
                                                            ": this process has no file descriptors left for the "
                                                            "network: raise its limit of open files"));
    }
    auto transfer = std::make_unique<Transfer>(id, exchange, take_easy());
    if (auto prepared = transfer->easy.prepare(request, options_, *transfer); !prepared) {
      return exchange->end(std::move(prepared));
    }
    const std::optional<Instant> replaced_at = request.endpoint->replaced_at;
    if (replaced_at && executor_.now() < after(*replaced_at, old_identity_time)) {
      transfer->easy.close_idle_connections();
    }
    curl_multi_add_handle(multi_, transfer->easy.handle());
    transfers_.emplace(id, std::move(transfer));
    exchange->arm(started, [this, id](Error error) { end_late(id, std::move(error)); });
  }

  Easy take_easy() {
    if (spare_.empty()) return {};
    Easy easy = std::move(spare_.back());
    spare_.pop_back();
    return easy;
  }

  void end_done() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      Easy::Receiver* receiver = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &receiver);
      const auto& transfer = static_cast<Transfer&>(*receiver);
      end(transfer.id, result_of(transfer, message->data.result));
    }
  }

  [[nodiscard]] Result<void> result_of(const Transfer& transfer, CURLcode code) const {
    if (code == CURLE_OK) return {};
    if (!transfer.allowed()) return transfer.allowed();
    Failure failure = transfer.easy.failure(code);
    failure.has_head = transfer.exchange->has_head();
    failure.connect_timeout = options_.connect_timeout;
    return explain(failure, transfer.exchange->request());
  }

  void end(ExchangeId id, Result<void> result) {
    auto node = transfers_.extract(id);
    if (node.empty()) return;
    Transfer& transfer = *node.mapped();
    curl_multi_remove_handle(multi_, transfer.easy.handle());
    transfer.easy.reset();
    constexpr std::size_t max_spare = 64;
    if (spare_.size() < max_spare) spare_.push_back(std::move(transfer.easy));
    transfer.exchange->end(std::move(result));
  }

  // A request that was never sent can be sent again without risk, so the error is not a timeout.
  void end_late(ExchangeId id, Error error) {
    const auto found = transfers_.find(id);
    if (found == transfers_.end()) return;
    if (!found->second->was_sent()) {
      error.code = ErrorCode::unreachable;
      error.message += "; no connection was established in this time: check the server address and firewalls";
    }
    end(id, std::move(error));
  }

  void end_cancelled(ExchangeId id) {
    const auto found = transfers_.find(id);
    if (found != transfers_.end()) end(id, cancelled(found->second->exchange->request()));
  }

  Executor& executor_;
  const NetworkOptions options_;
  std::atomic<ExchangeId> next_id_ = 1;
  Poller poller_;

  // These members belong to the I/O thread:
  CURLM* multi_ = nullptr;
  Instant curl_due_ = Instant::max();
  std::map<ExchangeId, std::unique_ptr<Transfer>> transfers_;
  std::vector<Easy> spare_;

  Loop loop_;
};

}  // namespace

std::unique_ptr<Transport> make_network_transport(Executor& executor, NetworkOptions options) {
  return std::make_unique<NetworkTransport>(executor, options);
}

}  // namespace pintle::http
