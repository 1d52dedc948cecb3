// SPDX-License-Identifier: Apache-2.0
// The CEL types of the variables that expressions of admission read.
#pragma once

#include <pintle/cel/type.hpp>

namespace pintle::apiserver {

// The type of `request`: an AdmissionRequest without its uid and its objects.
[[nodiscard]] cel::Type admission_request_type();
// The type of `namespaceObject`.
[[nodiscard]] cel::Type namespace_type();

}  // namespace pintle::apiserver
