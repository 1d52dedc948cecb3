// SPDX-License-Identifier: Apache-2.0
// Keeps the data of Secrets out of error messages.
#pragma once

#include <string_view>

#include <pintle/base/error.hpp>

namespace pintle {

// Replaces the data of a Secret in the texts of an error, because the response to a write may repeat it: kube-apiserver
// prints a value of a wrong type. `body`: of the write, an object or a JSON patch.
void hide_secret_data(Error& error, std::string_view body);

}  // namespace pintle
