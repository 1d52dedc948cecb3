// SPDX-License-Identifier: Apache-2.0
#include <pintle/manager/watched_file.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <pintle/sim/in_process_transport.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using Contents = std::vector<std::string>;

class WatchedFileTest : public OperatorTest {
 protected:
  WatchedFileTest() { fs::create_directories(folder_); }
  ~WatchedFileTest() override { fs::remove_all(folder_); }

  void write(const std::string& content) const { std::ofstream(file_) << content; }
  void follow(WatchedFile watched) {
    start([&](Manager& manager) { manager.add(watch_file(std::move(watched))); });
    instance->join();
    ASSERT_TRUE(instance->started()) << instance->started().error().to_string();
    pass(1s);
  }
  void pass(Duration time) { simulation.executor().sleep_for(time); }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("pintle_watched_file_" + std::to_string(::getpid()));
  const std::string file_ = folder_ / "config";
  Contents seen_;
};

TEST_F(WatchedFileTest, TellsTheContentAtTheBeginningAndAfterEachChange) {
  write("a");
  follow({.path = file_, .on_change = [&](const std::string& content) -> Result<void> {
            return seen_.push_back(content), Result<void>();
          }});
  EXPECT_EQ(seen_, (Contents{"a"}));
  pass(1min);
  EXPECT_EQ(seen_, (Contents{"a"})) << "it has not changed";
  write("b");
  pass(10s);
  EXPECT_EQ(seen_, (Contents{"a", "b"}));
  EXPECT_EQ(log->errors(), 0);
}

TEST_F(WatchedFileTest, AFileThatCannotBeReadIsLoggedOnceAndFoundLater) {
  follow({.path = file_,
          .on_change = [&](const std::string& content) -> Result<void> {
            return seen_.push_back(content), Result<void>();
          },
          .max_size = 3});
  pass(1min);
  EXPECT_EQ(log->count("a file cannot be used"), 1U);
  EXPECT_EQ(log->count("the last content remains in use"), 0U) << "there is none";
  write("abc");
  pass(10s);
  write("abcd");
  pass(1min);
  EXPECT_EQ(seen_, (Contents{"abc"}));
  EXPECT_EQ(log->count("a file cannot be used"), 2U);
  EXPECT_EQ(log->count("the last content remains in use"), 1U);
  EXPECT_TRUE(log->has("has 4 bytes; the limit is 3"));
  write("new");
  pass(10s);
  EXPECT_EQ(seen_, (Contents{"abc", "new"}));
}

TEST_F(WatchedFileTest, APeriodOfZeroStopsTheOperator) {
  const RunnableContext context{.client = simulation.user(), .executor = simulation.executor()};
  for (const Duration period : {Duration::zero(), Duration(9ms), Duration(-1s)}) {
    const Runnable runnable = watch_file(
        {.path = file_, .on_change = [](const std::string&) -> Result<void> { return {}; }, .period = period});
    const auto ended = runnable.body.value()(context);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::invalid);
    EXPECT_NE(ended.error().to_string().find(file_ + " has .period below 10ms"), std::string::npos);
  }
}

TEST_F(WatchedFileTest, APipeIsNotRead) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  follow({.path = file_, .on_change = [&](const std::string&) -> Result<void> { return {}; }});
  EXPECT_EQ(log->count("a file cannot be used"), 1U);
}

// At most one call in each period, and no log line that contains the content.
TEST_F(WatchedFileTest, ARefusedContentIsOfferedAgain) {
  write("secret");
  follow({.path = file_, .on_change = [&](const std::string& content) -> Result<void> {
            seen_.push_back(content);
            if (seen_.size() == 1) throw std::runtime_error("not yet");
            if (seen_.size() < 5) return make_error(ErrorCode::invalid, "not yet either");
            return {};
          }});
  pass(5min);
  EXPECT_EQ(seen_, Contents(5, "secret"));
  EXPECT_EQ(log->count("a file cannot be used"), 2U);
  EXPECT_FALSE(log->has("secret"));
  EXPECT_TRUE(instance->manager().is_ready());
}

// On the real executor a change is found without waiting for the period.
TEST(WatchedFileConcurrency, FindsAChangeAtOnce) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("pintle_watched_link_" + std::to_string(::getpid()));
  fs::create_directories(folder / "one");
  fs::create_directories(folder / "two");
  std::ofstream(folder / "one" / "config") << "one";
  std::ofstream(folder / "two" / "config") << "two";
  fs::create_symlink("one", folder / "current");
  fs::create_symlink("current/config", folder / "config");
  const auto executor = make_real_executor();
  std::stop_source stop;
  Contents seen;
  const Runnable runnable = watch_file({.path = folder / "config",
                                        .on_change = [&](const std::string& content) -> Result<void> {
                                          seen.push_back(content);
                                          if (content == "two") return stop.request_stop(), Result<void>();
                                          fs::create_symlink("two", folder / "next");
                                          fs::rename(folder / "next", folder / "current");
                                          return {};
                                        },
                                        .period = 1h});
  ApiServer server(*executor, {});
  Client client({.transport = std::make_shared<http::InProcessTransport>(*executor, server)});
  const Instant begin = executor->now();
  EXPECT_TRUE(runnable.body.value()({.client = client, .executor = *executor, .stop = stop.get_token()}));
  EXPECT_EQ(seen, (Contents{"one", "two"}));
  EXPECT_LT(executor->now() - begin, 1h);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace pintle
