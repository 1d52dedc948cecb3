// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/flaky.hpp>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::testkit {
namespace {

class Shop {
 public:
  explicit Shop(int stock) : stock_(stock) {}
  Result<int> buy(const std::string& what, int count) {
    if (what != "shelf") return fail(ErrorCode::not_found, "no " + what);
    stock_ -= count;
    return stock_;
  }
  Result<void> close() {
    stock_ = 0;
    return {};
  }
  [[nodiscard]] int stock() const { return stock_; }
  [[nodiscard]] Result<int> count(const std::string& what) const {
    if (what != "shelf") return fail(ErrorCode::not_found, "no " + what);
    return stock_;
  }

 private:
  int stock_;
};

class FlakyTest : public ::testing::Test {
 protected:
  Result<int> buy(const std::string& what = "shelf") { return shop.call("buy", &Shop::buy, what, 1); }

  SimulatedExecutor executor;
  Flaky<Shop> shop{executor, 10};
};

TEST_F(FlakyTest, PassesResultsAndErrorsOfTheFake) {
  EXPECT_EQ(buy().value(), 9);
  EXPECT_EQ(buy("lamp").error().message, "no lamp");
  EXPECT_TRUE(shop.call("close", &Shop::close));
  EXPECT_EQ(shop.fake().stock(), 0);
  EXPECT_EQ(shop.calls().about("shelf").size(), 1U);
  EXPECT_EQ(shop.calls().of("buy").size(), 2U);
}

TEST_F(FlakyTest, CallsConstFunctions) {
  EXPECT_EQ(shop.call("count", &Shop::count, "shelf").value(), 10);
  EXPECT_EQ(shop.call("count", &Shop::count, "lamp").error().message, "no lamp");
}

TEST_F(FlakyTest, AFailedCallHasNoEffect) {
  shop.calls().fail_next(make_error(ErrorCode::unavailable, "closed"));
  EXPECT_EQ(buy().error().message, "closed");
  EXPECT_EQ(shop.fake().stock(), 10);
}

TEST_F(FlakyTest, ALostResponseHasAnEffect) {
  shop.calls().drop_next_response();
  EXPECT_EQ(buy().error().code, ErrorCode::unreachable);
  EXPECT_EQ(shop.fake().stock(), 9);
}

TEST_F(FlakyTest, ARepeatedCallReturnsTheSecondResult) {
  shop.calls().repeat_next();
  EXPECT_EQ(buy().value(), 8);
}

}  // namespace
}  // namespace pintle::testkit
