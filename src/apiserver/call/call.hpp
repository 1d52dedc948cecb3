// Call: a request that has found its resource.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/http/handler.hpp>
#include <pintle/http/message.hpp>
#include <pintle/json/memory.hpp>

#include "apiserver/registry/resource.hpp"
#include "apiserver/storage/lag.hpp"
#include "negotiate.hpp"
#include "service.hpp"
#include "write_options.hpp"

namespace pintle::apiserver {

// Valid while its request is.
struct Call {
  const http::Request& request;
  const http::Target& target;
  ResourcePtr resource{};
  std::string namespace_{};  // "" for cluster-scoped resources and for all namespaces
  std::string name{};        // "" for a collection
  std::string subresource{};
  Wanted wanted{};
  ReadFaults faults{};

  [[nodiscard]] std::string_view query(std::string_view name_) const { return target.parameter(name_).value_or(""); }
  [[nodiscard]] bool flag(std::string_view name_) const;
  // The newest version that can answer a read: that of the storage, or of a replica that is behind.
  [[nodiscard]] Version version_read(const Service& service) const;

  // The body, by its content type. 400 for one that cannot be read, 415 for another type.
  [[nodiscard]] Answer<json::Value> body() const;
  [[nodiscard]] Answer<json::Value> body(json::Memory& memory) const;
  // ?fieldManager, ?dryRun, ?fieldValidation; `kind` names the options in a refusal ("CreateOptions").
  [[nodiscard]] Answer<WriteOptions> write_options(std::string_view kind) const;
};

// Whether a query parameter is set and not false.
[[nodiscard]] bool is_true(std::string_view text);

}  // namespace pintle::apiserver
