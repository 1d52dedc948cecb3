// SPDX-License-Identifier: Apache-2.0
// Test support for the server: the fixture of its tests, and bodies of any length.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>
#include <pintle/http/server.hpp>

#include "http/net/test_support.hpp"
#include "http/test_support.hpp"

namespace pintle::http {

class ServerTest : public ::testing::Test {
 protected:
  // Starts a server that responds with `function`.
  Server& serve(std::function<Response(const Request&)> function, ServerOptions options = {}) {
    handler_.emplace(std::move(function));
    server_ = std::make_unique<Server>(*executor_, *handler_, std::move(options));
    const Result<void> started = server_->start();
    EXPECT_TRUE(started) << started.error().message;
    return *server_;
  }
  Server& serve_feed(const std::shared_ptr<Feed>& feed, ServerOptions options = {}) {
    return serve([feed](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; },
                 std::move(options));
  }
  // Serves the text of the feed as one document.
  Server& serve_later(const std::shared_ptr<Feed>& feed, ServerOptions options = {}) {
    return serve([feed](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed, true)}; },
                 std::move(options));
  }
  static Response echo(const Request& request) {
    return {.headers = {{"Content-Type", "text/plain"}},
            .body = request.method + " " + request.target + " " + request.body};
  }
  RawPeer connect() { return RawPeer::connect(server_->port()); }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  std::optional<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
};

inline constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

// A stream that always has more, and counts the bytes that were read from it.
class Endless final : public BodyStream {
 public:
  Endless(std::atomic<std::size_t>& taken, Gate& dropped, bool is_document = false)
      : taken_(taken), dropped_(dropped), is_document_(is_document) {}
  ~Endless() override { dropped_.open(); }
  State read(std::string& out) override {
    out.append(65536, 'x');
    taken_ += 65536;
    return State::more;
  }
  void on_ready(std::function<void()>) override {}
  [[nodiscard]] bool is_document() const override { return is_document_; }

 private:
  std::atomic<std::size_t>& taken_;
  Gate& dropped_;
  const bool is_document_;
};

// A document of the given size.
class Document final : public BodyStream {
 public:
  explicit Document(std::size_t size) : left_(size) {}
  State read(std::string& out) override {
    const std::size_t piece = std::min<std::size_t>(left_, 65536);
    out.append(piece, 'd');
    left_ -= piece;
    return left_ == 0 ? State::ended : State::more;
  }
  void on_ready(std::function<void()>) override {}
  [[nodiscard]] bool is_document() const override { return true; }

 private:
  std::size_t left_;
};

// Counts the bytes of the document in a chunked response.
inline std::size_t document_bytes(std::string_view response) {
  const auto body = response.substr(std::min(response.find("\r\n\r\n"), response.size()));
  return static_cast<std::size_t>(std::count(body.begin(), body.end(), 'd'));
}

}  // namespace pintle::http
