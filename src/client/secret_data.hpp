// SPDX-License-Identifier: Apache-2.0
// Keeps the data of Secrets out of error messages, and what else may show it.
#pragma once

#include <string_view>

#include <pintle/base/error.hpp>

namespace pintle {

// Replaces a value that is not shown.
inline constexpr std::string_view hidden_text = "(hidden)";

// The annotation in which kubectl stores the applied object, so that of a Secret contains its data.
inline constexpr std::string_view kubectl_applied_annotation = "kubectl.kubernetes.io/last-applied-configuration";

[[nodiscard]] inline bool is_secret_kind(std::string_view api_version, std::string_view kind) {
  return api_version == "v1" && kind == "Secret";
}

// Replaces the data of a Secret in the texts of an error, because the response to a write may repeat it: kube-apiserver
// prints a value of a wrong type. `body`: of the write, an object or a JSON patch.
void hide_secret_data(Error& error, std::string_view body);

}  // namespace pintle
