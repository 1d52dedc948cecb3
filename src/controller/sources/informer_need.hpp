// SPDX-License-Identifier: Apache-2.0
// InformerNeed: how much an operator depends on an informer.
#pragma once

namespace pintle {

// How an informer that cannot fill its cache affects the start and the health of the manager.
struct InformerNeed {
  bool required = false;   // the start fails
  bool if_served = false;  // it is no problem that the server does not serve the kind
  bool is_own = false;     // a controller reconciles the objects; its first list is read before others
  bool on_demand = false;  // watched only while SourceActivation has a need

  // The strictest of the needs of several callers applies.
  void add(const InformerNeed& other) noexcept {
    required = required || other.required;
    if_served = if_served && other.if_served;
    is_own = is_own || other.is_own;
    on_demand = on_demand && other.on_demand;
  }
};

}  // namespace pintle
