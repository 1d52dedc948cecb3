// SPDX-License-Identifier: Apache-2.0
// Rules that ConfigMap and Secret share.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "../resource.hpp"

namespace pintle::apiserver {

void check_data_keys(const json::Value& object, std::string_view map, std::vector<StatusCause>& causes);

// Limits the size of all values together to 1 MiB; those of `bytes` count decoded. The cause names `field`.
void check_data_size(const json::Value& object, std::string_view field, std::initializer_list<std::string_view> texts,
                     std::initializer_list<std::string_view> bytes, std::vector<StatusCause>& causes);

// Refuses changes of these members and of `immutable` if `immutable` is set.
void check_immutable_data(const json::Value& next, const json::Value& old, std::initializer_list<std::string_view> maps,
                          std::vector<StatusCause>& causes);

// Returns the number of entries in these maps.
[[nodiscard]] std::int64_t count_data(json::View object, std::initializer_list<std::string_view> maps);

}  // namespace pintle::apiserver
