// SPDX-License-Identifier: Apache-2.0
#include "cluster_location.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>

#include <pintle/base/text.hpp>

#include "client/access/credentials.hpp"

namespace pintle {
namespace {

bool is_same_server(const http::Endpoint& one, const http::Endpoint& other) {
  const auto address = [](const http::Endpoint& of) { return std::tie(of.tls, of.host, of.port, of.base_path); };
  return address(one) == address(other);
}

bool is_reached_alike(const Cluster& one, const Cluster& other) {
  const auto way = [](const http::Endpoint& of) {
    return std::tie(of.ca, of.client_certificate, of.client_key, of.server_name, of.insecure, of.proxy);
  };
  const auto user = [](const Cluster& of) { return std::tie(of.token, of.username, of.password, of.impersonation); };
  return user(one) == user(other) && way(*one.endpoint) == way(*other.endpoint);
}

bool identifies_user(const std::string& header) {
  const std::string name = to_lower_ascii(header);
  return name == "authorization" || name.starts_with("impersonate-");
}

bool is_watch(const std::string& target) { return http::parse_target(target).parameter("watch").has_value(); }

}  // namespace

// Replaces the cancellation of a watch by the error that its cluster has moved.
class ClusterLocation::WatchHandler final : public http::ExchangeHandler {
 public:
  explicit WatchHandler(std::shared_ptr<http::ExchangeHandler> inner) : inner_(std::move(inner)) {}

  void move() { has_moved_ = true; }

  void on_head(const http::ResponseHead& head) override { inner_->on_head(head); }
  void on_body(std::string_view chunk) override {
    if (!has_moved_) inner_->on_body(chunk);
  }
  void on_end(Result<void> end) override {
    if (has_moved_) end = fail(ErrorCode::expired, "the cluster has moved to another server");
    inner_->on_end(std::move(end));
  }

 private:
  const std::shared_ptr<http::ExchangeHandler> inner_;
  std::atomic<bool> has_moved_ = false;
};

ClusterLocation::Move ClusterLocation::move_to(Cluster cluster) {
  std::vector<Watch> ending;
  {
    const MutexLock lock(mutex_);
    const bool is_same = is_same_server(*cluster_.endpoint, *cluster.endpoint);
    if (is_same && is_reached_alike(cluster_, cluster)) return Move::none;
    cluster_ = std::move(cluster);
    if (is_same) return Move::credentials;
    ++server_;
    ending.swap(watches_);
  }
  for (const Watch& watch : ending) {
    const auto handler = watch.handler.lock();
    if (handler == nullptr) continue;  // the watch has ended
    handler->move();
    watch.transport->cancel(watch.exchange);
  }
  return Move::server;
}

std::uint64_t ClusterLocation::direct(http::Request& request) const {
  const MutexLock lock(mutex_);
  http::Headers others;
  for (const auto& [name, value] : request.headers) {
    if (!identifies_user(name)) others.add(name, value);
  }
  request.headers = std::move(others);
  const std::string bearer = cluster_.token.empty() ? "" : "Bearer " + cluster_.token;
  RequestCredentials{.endpoint = cluster_.endpoint,
                     .authorization = bearer.empty() ? basic_authorization(cluster_) : bearer,
                     .impersonation = impersonation_headers(cluster_.impersonation)}
      .apply(request);
  return server_;
}

bool ClusterLocation::add(Watch watch, std::uint64_t server) {
  const MutexLock lock(mutex_);
  if (server != server_) return false;
  std::erase_if(watches_, [](const Watch& one) { return one.handler.expired(); });
  watches_.push_back(std::move(watch));
  return true;
}

http::Transport::ExchangeId LocatedTransport::start(http::Request request,
                                                    std::shared_ptr<http::ExchangeHandler> handler) {
  const std::uint64_t server = location_->direct(request);
  if (!is_watch(request.target)) return inner_->start(std::move(request), std::move(handler));
  auto watch = std::make_shared<ClusterLocation::WatchHandler>(std::move(handler));
  const ExchangeId exchange = inner_->start(std::move(request), watch);
  if (!location_->add({inner_, exchange, watch}, server)) {
    watch->move();
    inner_->cancel(exchange);
  }
  return exchange;
}

Result<http::BufferedResponse> LocatedTransport::send_and_wait(http::Request request, const std::stop_token& stop,
                                                               std::size_t limit) {
  (void)location_->direct(request);
  return inner_->send_and_wait(std::move(request), stop, limit);
}

}  // namespace pintle
