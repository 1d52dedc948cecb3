// SPDX-License-Identifier: Apache-2.0
// The response to a list. A large list is printed while it is read.
#pragma once

#include <vector>

#include "present.hpp"

namespace pintle::apiserver {

// Shows exactly these objects, without later writes. The response is one text if the list is small or if its encoding
// needs the whole list, as YAML and protobuf do. Otherwise it is a stream that holds each object until it is printed,
// and only the first part of the text.
[[nodiscard]] http::Response respond(const Call& call, std::vector<Object> objects, const ListHead& head, WallTime now);

}  // namespace pintle::apiserver
