// SPDX-License-Identifier: Apache-2.0
#include "folder_watch.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/seeds.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class FolderWatchConcurrency : public ::testing::Test {
 protected:
  FolderWatchConcurrency() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "one");
    fs::create_directories(folder_ / "two");
    fs::create_symlink("one", folder_ / "current");
    write("file", "a");
  }
  ~FolderWatchConcurrency() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  void swap_link() const {
    fs::create_symlink("two", folder_ / "next");
    fs::rename(folder_ / "next", folder_ / "current");
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("pintle_folder_watch_test_" + std::to_string(::getpid()));
  const std::unique_ptr<Executor> executor_ = make_real_executor();
};

TEST_F(FolderWatchConcurrency, EachKindOfChangeEndsTheWait) {
  FolderWatch watch(*executor_, {folder_});
  const Instant begin = executor_->now();
  write("file", "b");
  EXPECT_TRUE(watch.wait(1h, {}));
  swap_link();
  EXPECT_TRUE(watch.wait(1h, {}));
  fs::remove(folder_ / "file");
  EXPECT_TRUE(watch.wait(1h, {}));
  EXPECT_LT(executor_->now() - begin, 1h);
}

TEST_F(FolderWatchConcurrency, ChangesThatFollowOneAnotherEndOneWait) {
  FolderWatch watch(*executor_, {folder_});
  for (int i = 0; i < 10; ++i) write("file", std::to_string(i));
  EXPECT_TRUE(watch.wait(1h, {}));
  const Instant begin = executor_->now();
  EXPECT_TRUE(watch.wait(50ms, {}));
  EXPECT_GE(executor_->now() - begin, 50ms);
}

TEST_F(FolderWatchConcurrency, AStopEndsTheWait) {
  FolderWatch watch(*executor_, {folder_});
  std::stop_source stop;
  const Thread stopper = executor_->spawn({.name = "stopper"}, [&] { stop.request_stop(); });
  EXPECT_FALSE(watch.wait(1h, stop.get_token()));
  EXPECT_FALSE(watch.wait(1h, stop.get_token()));
}

// A loop of waits must not use a whole processor. The system call fails if the process may have no descriptors.
TEST_F(FolderWatchConcurrency, AWaitThatTheSystemRefusesTakesItsTime) {
  if (testkit::is_sanitized) GTEST_SKIP() << "a sanitizer needs its own descriptors";
  FolderWatch watch(*executor_, {folder_});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const Instant begin = executor_->now();
  EXPECT_TRUE(watch.wait(20ms, {}));
  EXPECT_GE(executor_->now() - begin, 20ms);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(FolderWatchConcurrency, WatchesAFolderThatWasReplaced) {
  FolderWatch watch(*executor_, {folder_});
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  EXPECT_TRUE(watch.wait(1h, {}));
  // The next wait begins to watch the new folder.
  EXPECT_TRUE(watch.wait(1ms, {}));
  write("file", "b");
  EXPECT_TRUE(watch.wait(1h, {}));
}

TEST_F(FolderWatchConcurrency, AMissingFolderIsNotWatched) {
  FolderWatch watch(*executor_, {folder_ / "missing"});
  const Instant begin = executor_->now();
  EXPECT_TRUE(watch.wait(20ms, {}));
  EXPECT_GE(executor_->now() - begin, 20ms);
}

TEST(FolderWatchSimulation, SleepsInVirtualTime) {
  SimulatedExecutor executor{{.seed = 1}};
  FolderWatch watch(executor, {::testing::TempDir()});
  const Instant begin = executor.now();
  EXPECT_TRUE(watch.wait(1h, {}));
  EXPECT_EQ(executor.now() - begin, 1h);
}

}  // namespace
}  // namespace pintle
