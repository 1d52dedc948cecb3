// SPDX-License-Identifier: Apache-2.0
// Recognises texts that may contain a secret: a password in a configuration file, a token in a command.
#pragma once

#include <string_view>

namespace pintle {

// Returns whether a member, variable or option with this name has a secret value: "password", "DB_PASSWORD",
// "--access-token". References to secrets have none: "secretName", "imagePullSecrets", "tokenPath".
[[nodiscard]] bool is_secret_name(std::string_view name);

// Returns whether this is the value of a secret option or variable of a program. A path is not secret.
[[nodiscard]] bool is_secret_option(std::string_view option, std::string_view value);

// Returns whether the text contains, anywhere in its first 8 KiB, what looks secret:
// - a value with a secret name: "password=a", "password = a", "--password a", "?user=u&password=a", and at the begin of
// a
//   line, or with quotes as in JSON, "password: a", also if the value is in the lines below
// - the credentials of the header Authorization, schemes Bearer and Basic
// - a JSON Web Token, a token of GitHub, GitLab or Slack
// - a private key
// - a URL with a password, or with a long user such as a token
[[nodiscard]] bool contains_secret(std::string_view text);

}  // namespace pintle
