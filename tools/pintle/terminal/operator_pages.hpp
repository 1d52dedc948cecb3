// SPDX-License-Identifier: Apache-2.0
// OperatorPages: the debug API of a running operator.
#pragma once

#include <memory>
#include <string>

#include <pintle/client/client.hpp>
#include <pintle/json/value.hpp>

namespace pintle::tools {

// How an operator is reached.
struct OperatorOptions {
  // "https://HOST:PORT" of its pages, or a pod: "NAME", "NAMESPACE/NAME", both with an optional ":PORT".
  std::string address{};
  std::string kubeconfig{};  // for a pod
  std::string context{};
  std::string namespace_{};  // of the pod; default: that of the context
  std::string token{};       // for an operator that restricts its pages
  bool is_insecure = false;  // do not verify the certificate of a URL
};

// A pod is reached through the pod proxy of the API server. Not thread-safe.
class OperatorPages {
 public:
  // Reads the pod, if it is one: without a port in its address, the port with the name "pages" or "https" is used, or
  // else the only one. Errors: invalid, for an address or kubeconfig that cannot be used; those of the read.
  [[nodiscard]] static Result<OperatorPages> open(Executor& executor, const OperatorOptions& options);

  // Requests a path below /debug/v1. Errors name the operator and the remedy.
  [[nodiscard]] Result<json::Value> get(const std::string& path);
  // "http://127.0.0.1:8080", or "pod default/op:8080".
  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  // The namespace of objects that are named without one.
  [[nodiscard]] const std::string& default_namespace() const noexcept { return default_namespace_; }

 private:
  OperatorPages(std::unique_ptr<pintle::Client> client, std::string root, std::string title, std::string namespace_)
      : client_(std::move(client)),
        root_(std::move(root)),
        title_(std::move(title)),
        default_namespace_(std::move(namespace_)) {}

  [[nodiscard]] static Result<OperatorPages> of_url(Executor& executor, const OperatorOptions& options);
  [[nodiscard]] static Result<OperatorPages> of_pod(Executor& executor, const OperatorOptions& options);

  std::unique_ptr<pintle::Client> client_;
  std::string root_;  // the path above /debug
  std::string title_;
  std::string default_namespace_;
  std::string pod_token_{};
};

}  // namespace pintle::tools
