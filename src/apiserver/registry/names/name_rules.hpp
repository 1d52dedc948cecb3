// SPDX-License-Identifier: Apache-2.0
// The rules for names, keys and values of labels, and similar texts, with the messages of kube-apiserver.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>

namespace pintle::apiserver {

// Every rule that a text violates. Each is a cause of its own in a refusal.
using TextErrors = std::vector<std::string>;

[[nodiscard]] TextErrors subdomain_errors(std::string_view name);      // RFC 1123 subdomain
[[nodiscard]] TextErrors dns_label_errors(std::string_view name);      // RFC 1123 label
[[nodiscard]] TextErrors dns1035_label_errors(std::string_view name);  // RFC 1035 label
[[nodiscard]] TextErrors wildcard_subdomain_errors(std::string_view name);
[[nodiscard]] TextErrors label_key_errors(std::string_view key);  // "app", "example.com/app"
[[nodiscard]] TextErrors label_value_errors(std::string_view value);
[[nodiscard]] TextErrors data_key_errors(std::string_view key);  // of a ConfigMap or Secret
[[nodiscard]] TextErrors port_name_errors(std::string_view name);
[[nodiscard]] TextErrors header_name_errors(std::string_view name);
[[nodiscard]] TextErrors variable_name_errors(std::string_view name);
[[nodiscard]] TextErrors percent_errors(std::string_view text);
[[nodiscard]] TextErrors range_errors(std::int64_t value, std::int64_t lowest, std::int64_t highest);
[[nodiscard]] TextErrors port_errors(std::int64_t port);

// Adds a cause for each error of a text, or of a number.
void add_errors(const std::string& field, std::string_view text, const TextErrors& errors,
                std::vector<StatusCause>& causes);
void add_errors(const std::string& field, std::int64_t value, const TextErrors& errors,
                std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
