// SPDX-License-Identifier: Apache-2.0
#include "signing_key.hpp"

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::apiserver {
namespace {

TEST(SigningKey, IsTheSameAfterItWasWrittenAndRead) {
  SimulatedExecutor executor({.seed = 1});
  const SigningKey key(executor);
  const std::string token = key.sign({{"sub", "a"}});

  const auto read = SigningKey::from_pem(key.to_pem());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->public_keys(), key.public_keys());
  EXPECT_EQ(read->sign({{"sub", "a"}}), token) << "signatures are deterministic";
  ASSERT_TRUE(read->claims_of(token));
  EXPECT_EQ(*read->claims_of(token), (json::Value{{"sub", "a"}}));
  EXPECT_FALSE(SigningKey::from_pem("none"));
}

TEST(SigningKey, RefusesTheTokensOfAnotherKey) {
  SimulatedExecutor executor({.seed = 1});
  const SigningKey key(executor);
  const SigningKey other(executor);
  EXPECT_FALSE(key.claims_of(other.sign({{"sub", "a"}})));
  EXPECT_NE(key.public_keys(), other.public_keys());
}

}  // namespace
}  // namespace pintle::apiserver
