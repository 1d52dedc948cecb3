#include <pintle/base/signals.hpp>

#include <signal.h>
#include <unistd.h>

#include <future>
#include <vector>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(SignalWatch, DeliversEachSignalAndRestoresTheMask) {
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  ASSERT_EQ(sigismember(&before, SIGTERM), 0);
  {
    std::promise<int> first;
    std::promise<int> second;
    int count = 0;
    const SignalWatch watch([&](int signal) { (count++ == 0 ? first : second).set_value(signal); });
    kill(getpid(), SIGTERM);
    EXPECT_EQ(first.get_future().get(), SIGTERM);
    kill(getpid(), SIGINT);
    EXPECT_EQ(second.get_future().get(), SIGINT);
  }
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(sigismember(&after, SIGTERM), 0);
  EXPECT_EQ(sigismember(&after, SIGINT), 0);
}

}  // namespace
}  // namespace pintle
