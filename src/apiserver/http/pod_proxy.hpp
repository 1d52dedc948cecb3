// SPDX-License-Identifier: Apache-2.0
// PodProxy: the subresource proxy of Pods, whose requests go to a table of URLs instead of a network of Pods.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/http/handler.hpp>
#include <pintle/http/transport.hpp>

namespace pintle::apiserver {

// The parts of "/api/v1/namespaces/N/pods/[SCHEME:]NAME[:PORT]/proxy/PATH".
struct PodRequest {
  std::string namespace_{};
  std::string name{};
  std::string path_name{};  // the name with scheme and port
  std::string path{};       // decoded: "/PATH"; "" if there is none
  std::string port{};       // "": none
  bool tls = false;
  std::string target{};  // "/PATH?QUERY"
};

// Returns nothing for another path.
[[nodiscard]] std::optional<PodRequest> pod_request(std::string_view target);

// Thread-safe.
class PodProxy {
 public:
  // `urls`: from "NAMESPACE/NAME:PORT" to "http://HOST:PORT". Without a transport, no Pod can be reached.
  PodProxy(std::shared_ptr<http::Transport> transport, std::map<std::string, std::string> urls)
      : transport_(std::move(transport)), urls_(std::move(urls)) {}

  // Sends the request without the credentials of the client, and waits for the head of the response, at most 30 s. The
  // body arrives as a stream. As the API server does, does not verify the certificate of a Pod.
  [[nodiscard]] http::Response forward(const http::Request& request, const PodRequest& to) const;

 private:
  const std::shared_ptr<http::Transport> transport_;
  const std::map<std::string, std::string> urls_;
};

}  // namespace pintle::apiserver
