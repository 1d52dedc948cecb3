// Rules that ConfigMap and Secret share.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "../resource.hpp"

namespace pintle::apiserver {

void check_data_keys(const json::Value& object, std::string_view map, std::vector<Cause>& causes);

// All values together may be 1 MiB, those of `bytes` decoded; the cause names `field`.
void check_data_size(const json::Value& object, std::string_view field, std::initializer_list<std::string_view> texts,
                     std::initializer_list<std::string_view> bytes, std::vector<Cause>& causes);

// What is immutable stays, in these members too.
void check_immutable_data(const json::Value& next, const json::Value& old, std::initializer_list<std::string_view> maps,
                          std::vector<Cause>& causes);

// How many entries these maps have.
[[nodiscard]] std::int64_t count_data(json::View object, std::initializer_list<std::string_view> maps);

}  // namespace pintle::apiserver
