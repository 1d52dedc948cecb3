// SPDX-License-Identifier: Apache-2.0
#include "patch.hpp"

#include <gtest/gtest.h>

#include <pintle/json/arena.hpp>

namespace pintle::apiserver {
namespace {

using json::Value;

// A merge patch sets each value once, so its result may share the memory of the object. A patch of another kind may
// have any number of steps, so it uses memory that it can free.
TEST(Patches, OnlyMergePatchesShareTheMemoryOfTheObject) {
  json::Arena memory;
  const Value current(json::object{{"data", json::object{{"a", "b"}}}}, memory.storage());
  const Value operations = *json::parse(R"([{"op":"move","from":"/data/a","path":"/data/c"}])");
  const Value change = *json::parse(R"({"data":{"a":null,"c":"b"}})");
  for (const PatchKind kind : {PatchKind::json, PatchKind::merge, PatchKind::strategic}) {
    const auto done = apply_patch(current, kind == PatchKind::json ? operations : change, kind, {});
    ASSERT_TRUE(done);
    EXPECT_EQ(json::print(*done), R"({"data":{"c":"b"}})");
    EXPECT_EQ(*done->storage() == *memory.storage(), kind == PatchKind::merge);
  }
}

}  // namespace
}  // namespace pintle::apiserver
