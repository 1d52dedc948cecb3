// SPDX-License-Identifier: Apache-2.0
// Call: a request after it was routed to its resource.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/time.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/http/message.hpp>
#include <pintle/json/arena.hpp>

#include "apiserver/registry/resource.hpp"
#include "apiserver/storage/lag.hpp"
#include "negotiate.hpp"
#include "service.hpp"
#include "write_options.hpp"

namespace pintle::apiserver {

// Valid as long as the request.
struct Call {
  const http::Request& request;
  const http::Target& target;
  const User& user;  // the sender
  ResourcePtr resource{};
  std::string namespace_{};  // "" for cluster-scoped resources and for all namespaces
  std::string name{};        // "" for a collection
  std::string subresource{};
  ResponseFormat format{};
  ReadFaults faults{};
  std::optional<Instant> deadline{};  // of a write

  [[nodiscard]] std::string_view query(std::string_view name_) const { return target.parameter(name_).value_or(""); }
  [[nodiscard]] bool flag(std::string_view name_) const;
  // The newest version that a read can return: that of the storage, or of a lagging replica.
  [[nodiscard]] Version version_read(const Service& service) const;

  // 415: a body of this content type cannot be read.
  [[nodiscard]] StatusOr<void> check_content_type() const;
  // Parses the body by its content type; null counts as an empty object. `kind` is that of the endpoint, as in
  // unrecognized(). 400: the body cannot be parsed, is no object, or its apiVersion and kind cannot be read. 415:
  // another content type.
  [[nodiscard]] StatusOr<json::Value> body(std::string_view kind) const;
  [[nodiscard]] StatusOr<json::Value> body(std::string_view kind, json::Arena& memory) const;
  // Reads ?fieldManager, ?dryRun and ?fieldValidation; of a patch, also checks ?force. `kind` names the options in a
  // refusal ("CreateOptions").
  [[nodiscard]] StatusOr<WriteOptions> write_options(std::string_view kind) const;
};

// Reads a query parameter as kube-apiserver does: true if it is present and neither "0" nor "false", in any case.
// Python writes "True" and "False"; an empty value is true.
[[nodiscard]] bool is_set(const http::Target& target, std::string_view name);

}  // namespace pintle::apiserver
