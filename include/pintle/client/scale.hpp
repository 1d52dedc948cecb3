// SPDX-License-Identifier: Apache-2.0
// Scale: the number of replicas of an object, in the form that all scalable kinds share.
#pragma once

#include <cstdint>
#include <string>

#include <pintle/object/fields.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle {

/// The scale subresource (autoscaling/v1). Its metadata are the name, uid and resourceVersion of the scaled object. A
/// plain value.
struct Scale {
  static constexpr Type type{"autoscaling/v1", "Scale"};
  struct Spec {
    std::int32_t replicas = 0;
    static constexpr auto fields() { return pintle::fields(field("replicas", &Spec::replicas, "Desired replicas.")); }
  };
  struct Status {
    std::int32_t replicas = 0;
    std::string selector{};  ///< of the Pods, as a label selector: "app=web,tier=front"
    static constexpr auto fields() {
      return pintle::fields(field("replicas", &Status::replicas, "Existing replicas."),
                            field("selector", &Status::selector, "Label selector of the Pods."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

}  // namespace pintle
