// SPDX-License-Identifier: Apache-2.0
// Texts of values of an object for the debug API, without what may be secret.
#pragma once

#include <string>
#include <string_view>

#include <pintle/object/object.hpp>

namespace pintle {

// Returns the JSON text of the value at this JSON pointer, cut after 200 bytes; "" if there is no such value. The text
// "(hidden)" replaces strings that may be secret:
// - the data of a Secret
// - members with a name such as "password" or "accessToken", and the values of environment variables with such a name;
//   references to Secrets are shown: lists of {"name": …}, and members such as "secretName" or "imagePullSecrets"
// - the argument behind such an option, as in ["--password", "a"]; paths are shown
// - the annotation in which kubectl stores the applied object
// - texts that contain a secret (contains_secret() in secret_text.hpp), such as a configuration file with a password
[[nodiscard]] std::string shown_value(const Object& object, std::string_view pointer);

}  // namespace pintle
