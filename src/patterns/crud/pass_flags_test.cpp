#include <pintle/patterns/crud/pass_flags.hpp>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

// T2-16 K
TEST(PassFlag, IsSetOnceAndForAllItsCopies) {
  const PassFlag flag;
  const PassFlag copy = flag;
  EXPECT_FALSE(flag.is_set());
  copy.set();
  EXPECT_TRUE(flag.is_set());
  flag.set();
  EXPECT_TRUE(copy.is_set());
  EXPECT_FALSE(PassFlag().is_set());
}

// T2-16 F: in the original two threads that set a flag at once could crash the process.
TEST(PassFlagConcurrency, ManyThreadsMaySetItAtOnce) {
  const auto runtime = make_real_runtime(1);
  for (int round = 0; round < 50; ++round) {
    const PassFlag flag;
    std::vector<Thread> threads;
    for (int i = 0; i < 8; ++i) threads.push_back(runtime->spawn({.name = "setter"}, [flag] { flag.set(); }));
    threads.clear();
    EXPECT_TRUE(flag.is_set());
  }
}

}  // namespace
}  // namespace pintle::crud
