// SPDX-License-Identifier: Apache-2.0
// with_recorded_objects: shows the results of recorded writes in a list.
#pragma once

#include <map>
#include <string>

#include <pintle/json/value.hpp>

namespace pintle {

// Returns the body of a list with the recorded objects in place of those of the server. `target` is that of the request
// for the list. `objects`: by path; null: deleted. New objects are added to the first page if the selectors match.
[[nodiscard]] std::string with_recorded_objects(std::string body, const std::string& target,
                                                const std::map<std::string, json::Value, std::less<>>& objects);

}  // namespace pintle
