// SPDX-License-Identifier: Apache-2.0
// Several threads use one client, on the real executor and on the simulated one with several seeds.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <pintle/client/client.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::SizeIs;

std::vector<Thread> spawn(Executor& executor, int count, const std::function<void()>& body) {
  std::vector<Thread> threads;
  for (int i = 0; i < count; ++i) threads.push_back(executor.spawn({.name = "t" + std::to_string(i)}, body));
  return threads;
}

TEST(ClientConcurrency, OneDiscoveryServesConcurrentCallers) {
  on_seeds(100, [](Executor& executor) {
    ScriptedServer server(executor);
    const auto transport = std::make_shared<http::InProcessTransport>(executor, server);
    Client client({.transport = transport});

    for (Thread& thread : spawn(executor, 5, [&] { EXPECT_TRUE(client.resource(config_map)); })) thread.join();

    EXPECT_THAT(server.discoveries(), SizeIs(1));
    transport->stop();
  });
}

TEST(ClientConcurrency, AStoppedDiscoveryDoesNotFailTheCallersThatWait) {
  on_both_executors([](Executor& executor) {
    ScriptedServer server(executor);
    const auto transport = std::make_shared<http::InProcessTransport>(executor, server);
    Client client({.transport = transport});
    std::stop_source stop;

    std::vector<Thread> threads = spawn(executor, 3, [&] { EXPECT_TRUE(client.resource(config_map)); });
    threads.push_back(executor.spawn({.name = "stopped"}, [&] {
      const auto resource = client.resource(config_map, stop.get_token());
      if (!resource) {
        EXPECT_EQ(resource.error().code, ErrorCode::cancelled);
      }
    }));
    threads.push_back(executor.spawn({.name = "stopper"}, [&] { stop.request_stop(); }));
    for (Thread& thread : threads) thread.join();
    transport->stop();
  });
}

TEST(ClientConcurrency, CallsTokensWarningsAndMetricsDoNotInterfere) {
  on_both_executors([](Executor& executor) {
    const TemporaryFolder folder;
    ScriptedServer server(executor);
    for (int i = 0; i < 40; ++i) {
      server.then([i, &folder]() -> http::Response {
        if (i % 7 == 3) folder.write("token", "t" + std::to_string(i));
        if (i % 7 == 3) return status_response(401, "Unauthorized");
        auto response = config_map_response();
        response.headers.add("Warning", "299 - \"w" + std::to_string(i % 3) + "\"");
        return response;
      });
    }
    const auto transport = std::make_shared<http::InProcessTransport>(executor, server);
    const auto sink = std::make_shared<LineSink>(executor);
    MetricsRegistry metrics;
    Client client({.transport = transport,
                   .cluster = {.token_file = folder.write("token", "t")},
                   .log = Log(sink, executor),
                   .metrics = &metrics});

    for (Thread& thread : spawn(executor, 4, [&] {
           for (int i = 0; i < 5; ++i) {
             (void)client.get(config_map, {"default", "a"});
             if (i == 2) client.invalidate_discovery(config_map);
           }
         })) {
      thread.join();
    }

    EXPECT_THAT(sink->lines(), SizeIs(3));
    transport->stop();
  });
}

TEST(ClientConcurrency, AThreadThatMustNotBlockGetsAnError) {
  on_both_executors([](Executor& executor) {
    ScriptedServer server(executor);
    const auto transport = std::make_shared<http::InProcessTransport>(executor, server);
    Client client({.transport = transport});

    Thread waits = executor.spawn({.name = "worker"}, [&] { EXPECT_TRUE(client.resource(config_map)); });
    Thread must_not = executor.spawn({.name = "dispatcher", .may_block = false}, [&] {
      const auto object = client.get(config_map, {"default", "a"});
      EXPECT_EQ(object.error().code, ErrorCode::unsupported);
      EXPECT_THAT(object.error().to_string(), testing::HasSubstr("\"dispatcher\""));
    });
    waits.join();
    must_not.join();
    transport->stop();
  });
}

}  // namespace
}  // namespace pintle
