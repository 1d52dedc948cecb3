// SPDX-License-Identifier: Apache-2.0
#include "pod_proxy.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <utility>

#include <pintle/apiserver/server.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/text.hpp>
#include <pintle/http/server_url.hpp>

#include "router.hpp"

namespace pintle::apiserver {
namespace {

constexpr Duration patience = std::chrono::seconds(30);
constexpr std::size_t max_waiting = std::size_t{16} << 20U;  // bytes for a slow reader; more end the response

// The header Host stays that of the client, as with kube-apiserver: a Pod receives the name of the API server.
bool is_of_connection(std::string_view name) {
  constexpr std::array<std::string_view, 6> names{"connection", "transfer-encoding", "content-length",
                                                  "keep-alive", "authorization",     "accept-encoding"};
  return std::find(names.begin(), names.end(), to_lower_ascii(name)) != names.end();
}

http::Headers forwarded(const http::Headers& headers) {
  http::Headers out;
  for (const auto& [name, value] : headers) {
    if (!is_of_connection(name)) out.add(name, value);
  }
  return out;
}

// An exchange with a Pod, between the I/O thread of the transport and the reader of the response.
class Exchange final : public http::ExchangeHandler {
 public:
  explicit Exchange(Executor& executor) : mutex_(executor), changed_(executor) {}

  void on_head(const http::ResponseHead& head) override {
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
  [[nodiscard]] Result<http::ResponseHead> wait_for_head(Instant deadline) {
    const MutexLock lock(mutex_);
    while (!head_ && !ended_) {
      if (!changed_.wait_until(mutex_, deadline)) return fail(ErrorCode::timeout, "no response");
    }
    if (head_) return *head_;
    return *ended_ ? fail(ErrorCode::unavailable, "an empty response") : fail(ended_->error());
  }
  [[nodiscard]] http::BodyStream::State read(std::string& out) {
    const MutexLock lock(mutex_);
    out += std::exchange(body_, {});
    if (!ended_) return http::BodyStream::State::waiting;
    return *ended_ ? http::BodyStream::State::ended : http::BodyStream::State::broken;
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
  std::optional<http::ResponseHead> head_ PINTLE_GUARDED_BY(mutex_);
  std::string body_ PINTLE_GUARDED_BY(mutex_);
  std::optional<Result<void>> ended_ PINTLE_GUARDED_BY(mutex_);
  std::function<void()> wake_ PINTLE_GUARDED_BY(mutex_);  // called under the lock, so never after it was removed
};

class PodStream final : public http::BodyStream {
 public:
  PodStream(std::shared_ptr<http::Transport> transport, http::Transport::ExchangeId id,
            std::shared_ptr<Exchange> exchange)
      : transport_(std::move(transport)), id_(id), exchange_(std::move(exchange)) {}
  ~PodStream() override {
    exchange_->set_wake({});
    transport_->cancel(id_);
  }
  PodStream(const PodStream&) = delete;
  PodStream& operator=(const PodStream&) = delete;

  [[nodiscard]] State read(std::string& out) override { return exchange_->read(out); }
  void on_ready(std::function<void()> wake) override { exchange_->set_wake(std::move(wake)); }

 private:
  const std::shared_ptr<http::Transport> transport_;
  const http::Transport::ExchangeId id_;
  const std::shared_ptr<Exchange> exchange_;
};

http::Response unreachable(const std::string& why) {
  return ApiServer::error_response(503, "error trying to reach service: " + why);
}

}  // namespace

std::optional<PodRequest> pod_request(std::string_view target) {
  if (target.find("proxy") == std::string_view::npos && target.find('%') == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> parts = path_parts(target);
  const bool is_proxy = parts.size() >= 7 && parts[0] == "api" && parts[1] == "v1" && parts[2] == "namespaces" &&
                        parts[4] == "pods" && parts[6] == "proxy";
  if (!is_proxy) return std::nullopt;
  PodRequest request{.namespace_ = parts[3], .name = parts[5]};
  for (const auto& [scheme, tls] : {std::pair("https:", true), {"http:", false}}) {
    if (!request.name.starts_with(scheme)) continue;
    request.name.erase(0, std::string_view(scheme).size());
    request.tls = tls;
    break;
  }
  if (const std::size_t colon = request.name.find(':'); colon != std::string::npos) {
    request.port = request.name.substr(colon + 1);
    request.name.erase(colon);
  }
  // The rest of the target as it is, behind the sixth separator that follows "/proxy".
  std::string_view rest = target;
  constexpr std::string_view mark = "/proxy";
  rest.remove_prefix(std::min(rest.find(mark, rest.find("/pods/")) + mark.size(), rest.size()));
  request.target = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  return request;
}

http::Response PodProxy::forward(const http::Request& request, const PodRequest& to) const {
  const std::string pod = to.namespace_ + "/" + to.name + (to.port.empty() ? "" : ":" + to.port);
  const auto url = urls_.find(pod);
  if (transport_ == nullptr || url == urls_.end()) return unreachable("no URL is configured for the pod " + pod);
  auto endpoint = http::parse_server_url(url->second, to.tls);
  if (!endpoint) return unreachable(endpoint.error().message);
  endpoint->insecure = true;
  Executor& executor = transport_->executor();
  auto exchange = std::make_shared<Exchange>(executor);
  const auto id = transport_->start({.method = request.method,
                                     .target = to.target,
                                     .headers = forwarded(request.headers),
                                     .body = request.body,
                                     .endpoint = std::make_shared<http::Endpoint>(std::move(*endpoint)),
                                     .timeout = {}},
                                    exchange);
  auto head = exchange->wait_for_head(executor.now() + patience);
  if (!head) {
    transport_->cancel(id);
    return unreachable(head.error().message);
  }
  return {.status = head->status,
          .headers = forwarded(head->headers),
          .stream = std::make_unique<PodStream>(transport_, id, std::move(exchange))};
}

}  // namespace pintle::apiserver
