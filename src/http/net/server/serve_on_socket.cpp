// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <pintle/http/running_server.hpp>
#include <pintle/http/server.hpp>

namespace pintle::http {
namespace {

class SocketServer final : public RunningServer {
 public:
  SocketServer(Executor& executor, Handler& handler, ServerOptions options)
      : server_(executor, handler, std::move(options)) {}

  Result<void> start() { return server_.start(); }
  void drain() override { server_.drain(); }
  void stop() override { server_.stop(); }
  Result<void> set_key_pair(const KeyPair& identity) override { return server_.set_key_pair(identity); }
  std::string url() const override { return server_.url(); }

 private:
  Server server_;
};

}  // namespace

Result<std::unique_ptr<RunningServer>> serve_on_socket(Executor& executor, Handler& handler, ServerOptions options) {
  auto server = std::make_unique<SocketServer>(executor, handler, std::move(options));
  if (auto started = server->start(); !started) return fail(std::move(started.error()));
  return std::unique_ptr<RunningServer>(std::move(server));
}

}  // namespace pintle::http
