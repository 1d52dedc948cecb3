// SPDX-License-Identifier: Apache-2.0
// Test support for the network transport: the fixture of its tests, with a Server or a scripted one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>

#include "http/test_support.hpp"
#include "test_support.hpp"

namespace pintle::http {

// A body that always has more data.
class EndlessBody final : public BodyStream {
 public:
  State read(std::string& out) override {
    out.append(65'536, 'x');
    return State::more;
  }
  void on_ready(std::function<void()>) override {}
};

class NetworkTransportTest : public ::testing::Test {
 protected:
  void serve(std::function<Response(const Request&)> function, ServerOptions options = {}) {
    handler_.emplace(std::move(function));
    server_ = std::make_unique<Server>(*executor_, *handler_, std::move(options));
    const Result<void> started = server_->start();
    ASSERT_TRUE(started) << started.error().message;
    endpoint_ = plain_endpoint(server_->port());
  }
  void serve_feed(const std::shared_ptr<Feed>& feed) {
    serve([feed](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; });
  }
  std::shared_ptr<Recorder> start(Request request) {
    if (request.endpoint == nullptr) request.endpoint = endpoint_;
    auto recorder = std::make_shared<Recorder>(*executor_);
    last_ = transport_->start(std::move(request), recorder);
    return recorder;
  }
  Result<BufferedResponse> send(Request request, std::stop_token stop = {}) {
    if (request.endpoint == nullptr) request.endpoint = endpoint_;
    return http::send(*transport_, std::move(request), std::move(stop));
  }
  // Runs `body` as a server on raw connections, on a thread of its own.
  Thread script(std::function<void(RawListener&)> body) {
    endpoint_ = plain_endpoint(listener_.port());
    return executor_->spawn({.name = "script"}, [this, body = std::move(body)] { body(listener_); });
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  std::optional<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
  RawListener listener_;
  std::shared_ptr<Endpoint> endpoint_;
  std::unique_ptr<Transport> transport_ = make_network_transport(*executor_);
  Transport::ExchangeId last_ = 0;
};

// The tests with this name are repeated in the long runs.
using NetworkTransportConcurrency = NetworkTransportTest;

}  // namespace pintle::http
