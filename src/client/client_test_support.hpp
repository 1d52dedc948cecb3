// SPDX-License-Identifier: Apache-2.0
// Test support for the client: a client in front of a scripted server.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include <pintle/client/client.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "test_support.hpp"

namespace pintle {

inline const ObjectKey key_a{"default", "a"};  // of the config map in config_map_response()

struct TestMap {
  static constexpr Type type{"v1", "ConfigMap"};
  Metadata metadata{};
  std::map<std::string, std::string> data{};
  static constexpr auto fields() { return pintle::fields(field("data", &TestMap::data)); }
};

// A client in front of a scripted server.
struct Stage {
  explicit Stage(Executor& on, Cluster cluster = {})
      : executor(on),
        server(on),
        sink(std::make_shared<LineSink>(on)),
        transport(std::make_shared<http::InProcessTransport>(on, server)),
        client({.transport = transport,
                .cluster = std::move(cluster),
                .field_manager = "tester",
                .log = Log(sink, on),
                .metrics = &metrics}) {}
  ~Stage() { transport->stop(); }

  Executor& executor;
  ScriptedServer server;
  std::shared_ptr<LineSink> sink;
  MetricsRegistry metrics;
  std::shared_ptr<http::InProcessTransport> transport;
  Client client;
};

// Returns the method and the target of a request.
inline std::string line_of(const ScriptedServer::ReceivedRequest& received) {
  return received.request.method + " " + received.request.target;
}

inline http::Response too_many(const char* after) {
  return status_response(429, "TooManyRequests", {{"Retry-After", after}});
}

}  // namespace pintle
