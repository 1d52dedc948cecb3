// SPDX-License-Identifier: Apache-2.0
// The rules for paths inside volumes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>

namespace pintle::apiserver {

[[nodiscard]] bool has_backsteps(std::string_view path);  // an element is ".."
void validate_no_backsteps(std::string_view path, const std::string& field, std::vector<StatusCause>& causes);
// A relative path without "..".
void validate_descending_path(std::string_view path, const std::string& field, std::vector<StatusCause>& causes);
// The same for a file, whose name cannot begin with ".." either.
void validate_local_path(std::string_view path, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
