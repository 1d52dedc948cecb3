// The answer that is a list: a large one is a body that is made while it is read.
#pragma once

#include <vector>

#include "present.hpp"

namespace pintle::apiserver {

// Shows these objects, whatever is written meanwhile. In one piece where it is small, or where the whole has to be
// there to be printed in another way, as YAML has; else as a stream that holds each object until it is printed and no
// text but the first of it.
[[nodiscard]] http::Response respond(const Call& call, std::vector<Object> objects, const ListHead& head, WallTime now);

}  // namespace pintle::apiserver
