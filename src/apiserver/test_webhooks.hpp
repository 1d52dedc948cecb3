// SPDX-License-Identifier: Apache-2.0
// A webhook server for tests of an ApiServer, in memory and on virtual time.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <pintle/http/certificates.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/sim/in_process_network.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {

// Serves a handler at https://127.0.0.1:9443. The certificate is valid for that address and for the service op.default,
// from an hour ago to an hour from now.
class TestWebhooks {
 public:
  TestWebhooks(SimulatedExecutor& executor, http::Handler& handler) : network(executor) {
    const http::CertificateOptions valid{.common_name = "webhook",
                                         .names = {"op.default.svc", "127.0.0.1"},
                                         .not_before = executor.wall_now() - std::chrono::hours(1),
                                         .not_after = executor.wall_now() + std::chrono::hours(1)};
    const auto authority = http::make_authority(valid).value();
    const auto pair = http::make_server_certificate(authority, valid).value();
    ca_bundle = Bytes(authority.certificate).to_base64();
    server_ =
        network
            .server_factory()(executor, handler, {.listen = ":9443", .certificate = pair.certificate, .key = pair.key})
            .value();
  }

  http::InProcessNetwork network;
  std::string ca_bundle;

 private:
  std::unique_ptr<http::RunningServer> server_;
};

}  // namespace pintle
