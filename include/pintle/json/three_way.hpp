// three_way_diff: what to change when others write parts of the same document.
#pragma once

#include <pintle/json/value.hpp>

namespace pintle::json {

// The merge patch that makes `current` say all that `wanted` says, and no longer what only `base`, the last that was
// wanted, said. What neither of them mentions stays, also inside the elements of a list; a list that says anything
// else, or has another length, is replaced. An empty object when nothing has to change. A null in `wanted` is as if it
// were left out.
[[nodiscard]] Value three_way_diff(const Value& base, const Value& current, const Value& wanted);

}  // namespace pintle::json
