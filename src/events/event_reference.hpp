// SPDX-License-Identifier: Apache-2.0
// EventReference: identifies the object of an Event.
#pragma once

#include <compare>
#include <string>

#include <pintle/object/object.hpp>

namespace pintle {

// A plain value. It has no resourceVersion, because an object that changes is still the same object.
struct EventReference {
  std::string api_version{};
  std::string kind{};
  std::string namespace_{};
  std::string name{};
  std::string uid{};

  friend auto operator<=>(const EventReference&, const EventReference&) = default;
};

[[nodiscard]] inline EventReference event_reference(const Object& object) {
  return {.api_version = std::string(object.api_version()),
          .kind = std::string(object.kind()),
          .namespace_ = std::string(object.namespace_()),
          .name = std::string(object.name()),
          .uid = std::string(object.uid())};
}

}  // namespace pintle
