// ResourceTarget: what a request to an API server is about, read from its target.
#pragma once

#include <optional>
#include <string_view>

namespace pintle {

// The parts are those of the target, which has to stay.
struct ResourceTarget {
  std::string_view group_version{};  // "/api/v1", "/apis/apps/v1"
  bool in_namespace = false;
  std::string_view plural{};
  bool is_named = false;           // one object; else its collection
  std::string_view subresource{};  // "" for the object itself
  bool watches = false;
};

// Nothing for what is no resource: discovery, /version, /healthz.
[[nodiscard]] std::optional<ResourceTarget> read_resource_target(std::string_view target);

}  // namespace pintle
