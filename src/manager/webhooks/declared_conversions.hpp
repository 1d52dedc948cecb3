// SPDX-License-Identifier: Apache-2.0
// The conversions and the CRDs of a manager, from the declarations of its controllers and its added conversions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/object/conversion.hpp>

namespace pintle {

// Returns one conversion for each kind: those that were added, then those of the controllers. A conversion without a
// CRD gets that of a controller of its kind, unless it is foreign.
[[nodiscard]] std::vector<AnyConversion> declared_conversions(const std::vector<AnyController>& controllers,
                                                              const std::vector<AnyConversion>& added);

// Returns the conversion of the group and kind of `kind`, or null.
[[nodiscard]] const AnyConversion* find_conversion(const std::vector<AnyConversion>& conversions,
                                                   const GroupVersionKind& kind);

// Returns the name of the CRD. Without a CRD, the plural follows the API conventions.
[[nodiscard]] std::string crd_name_of(const AnyConversion& conversion);

// Returns the errors of the declarations, each with the place and the remedy.
[[nodiscard]] std::vector<Error> validate_conversions(const std::vector<AnyController>& controllers,
                                                      const std::vector<AnyConversion>& added);

// A CRD that a manager installs, or for which it waits.
struct DeclaredCrd {
  json::Value crd{};
  GroupVersionKind kind{};  // the version that is watched; for a kind that is not watched, the hub
  std::string cluster{};
  bool is_awaited = true;     // the start waits until the kind is served
  bool is_converted = false;  // by a webhook of this manager
};

// Returns the CRDs in the order of the declarations, one for each watch. All entries of one kind and cluster have the
// same CRD: the one of its conversion, otherwise the one with the most versions.
[[nodiscard]] std::vector<DeclaredCrd> declared_crds(const std::vector<AnyController>& controllers,
                                                     const std::vector<AnyConversion>& conversions);

}  // namespace pintle
