// SPDX-License-Identifier: Apache-2.0
// type_warnings(): checks the expressions of a ValidatingAdmissionPolicy against the types of the kinds that it
// matches.
#pragma once

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/catalog.hpp"

namespace pintle::apiserver {

// Returns status.typeChecking.expressionWarnings of a policy: one entry for each validation or message expression that
// does not compile for one of the kinds. As in Kubernetes, kinds that a rule names with a wildcard are not checked, nor
// are subresources, and at most ten kinds of a rule are.
[[nodiscard]] json::array type_warnings(const Catalog& catalog, json::View policy);

}  // namespace pintle::apiserver
