// What differs between two documents, as JSON pointers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <pintle/json/document.hpp>

namespace pintle::json {

// The deepest places that differ, in the order of `after`, those that went last; a list whose length changed is one
// place. At most `most`. Empty when the two are equal; {""} when one of them is missing or no object or list.
[[nodiscard]] std::vector<std::string> changed_pointers(View before, View after, std::size_t most = 16);

}  // namespace pintle::json
