// Types of node, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <pintle/api/core/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/quantity.hpp>
#include <pintle/object/quantity_map.hpp>

namespace pintle::api::node::v1 {

struct PINTLE_EXPORT Overhead {
  QuantityMap pod_fixed{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Scheduling {
  std::map<std::string, std::string> node_selector{};
  std::vector<core::v1::Toleration> tolerations{};

  static FieldTable fields();
};

struct PINTLE_EXPORT RuntimeClass {
  static constexpr Type type{"node.k8s.io/v1", "RuntimeClass"};
  Metadata metadata{};
  std::string handler{};
  OptionalBox<Overhead> overhead{};
  OptionalBox<Scheduling> scheduling{};

  static FieldTable fields();
};

}  // namespace pintle::api::node::v1
