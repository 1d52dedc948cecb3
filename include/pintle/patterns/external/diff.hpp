// Diff: what has to happen to an outside resource.
#pragma once

#include <string>

namespace pintle::external {

// A plain value. Both may be set: then it is created first, and updated.
struct Diff {
  bool need_create = false;
  bool need_update = false;
  std::string diff{};  // what differs, for people
};

}  // namespace pintle::external
