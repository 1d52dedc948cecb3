// SPDX-License-Identifier: Apache-2.0
#include "key_paths.hpp"

#include <cstddef>
#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

namespace pintle::json {
namespace {

// Follows the keys of a document that consists of one object with these keys.
KeyPath* read_object(KeyPaths& paths, std::initializer_list<std::string> keys) {
  paths.tidy();
  KeyPath* path = paths.object_at(paths.document());
  for (const std::string& key : keys) path = paths.after(path, key);
  return path;
}

TEST(KeyPaths, RecogniseTheSameKeysInTheSameOrder) {
  KeyPaths paths(0);
  KeyPath* const path = read_object(paths, {"a", "b"});
  EXPECT_EQ(path->length(), 2U);
  EXPECT_EQ(path->key(), "b");
  EXPECT_EQ(path->before()->key(), "a");
  EXPECT_NE(read_object(paths, {"b", "a"}), path);
  EXPECT_NE(read_object(paths, {"a"}), path);
  EXPECT_EQ(read_object(paths, {"a", "b"}), path);
  EXPECT_EQ(path->before()->likely(), "b\"");
}

TEST(KeyPaths, DropKeysThatDoNotRecur) {
  KeyPaths paths(0);
  for (int i = 0; i < 10'000; ++i) {
    (void)read_object(paths, {"key-" + std::to_string(i)});
    EXPECT_LE(paths.bytes(), KeyPaths::most + 1'000);
  }
}

TEST(KeyPaths, DropAFewLongKeysToo) {
  KeyPaths paths(0);
  constexpr std::size_t size = 1'000'000;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    (void)read_object(paths, {std::string(size, letter)});
    EXPECT_LT(paths.bytes(), 2 * size);
  }
}

}  // namespace
}  // namespace pintle::json
