// What an answer that is not a success means; see error_of.
#pragma once

#include <pintle/client/client.hpp>

namespace pintle {

// Whether a 404 is about the path and not about an object: the kind is not served (any more).
[[nodiscard]] bool says_path_is_missing(const Error& error);

// Whether a JSON patch was refused because the object is not what it is for: a failed test, or a path that is not
// there, is a 422 without causes, while an object that breaks a rule has them.
[[nodiscard]] bool says_patch_does_not_fit(const Error& error);

}  // namespace pintle
