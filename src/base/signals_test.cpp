// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/signals.hpp>

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <future>
#include <memory>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(SignalHandler, DeliversEachSignalAndRestoresTheMask) {
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  ASSERT_EQ(sigismember(&before, SIGTERM), 0);
  {
    std::promise<int> first;
    std::promise<int> second;
    int count = 0;
    const SignalHandler watch([&](int signal) { (count++ == 0 ? first : second).set_value(signal); });
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

// While an instance exists, the process cannot open further files.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const struct rlimit none {
      .rlim_cur = 0, .rlim_max = before_.rlim_max
    };
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoMoreFiles(const NoMoreFiles&) = delete;
  NoMoreFiles& operator=(const NoMoreFiles&) = delete;

 private:
  struct rlimit before_ {};
};

TEST(SignalHandler, ReportsAFailedStartAndBlocksNoSignal) {
  // Called before the limit applies, because a sanitizer opens a file when it inspects an object for the first time.
  (void)std::generic_category().message(EMFILE);
  const auto watch = [] {
    const NoMoreFiles none;
    return std::make_unique<SignalHandler>([](int) {});
  }();
  ASSERT_FALSE(watch->started());
  EXPECT_EQ(watch->started().error().code, ErrorCode::unavailable);
  EXPECT_NE(watch->started().error().message.find("cannot watch for signals: Too many open files"), std::string::npos)
      << watch->started().error().message;
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGTERM), 0) << "the signal is not blocked";
}

}  // namespace
}  // namespace pintle
