// SPDX-License-Identifier: Apache-2.0
#include "processes.hpp"

#include <cstdio>
#include <cstdlib>
#include <set>

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pintle {
namespace {

using ::testing::HasSubstr;

TEST(Processes, SendLinesAndEnd) {
  std::set<std::string> lines;
  std::size_t ended = 0;
  (void)in_processes(
      3,
      [](std::size_t number, const auto& send) {
        send(std::to_string(number) + " begins in " + std::to_string(::getpid() == ::getppid()));
        send(std::string(200'000, static_cast<char>('a' + number)));  // more than a pipe holds
      },
      [&](std::size_t number, const std::string& line) {
        lines.insert(line.substr(0, 8));
        EXPECT_TRUE(line[0] == static_cast<char>('0' + number) || line[0] == static_cast<char>('a' + number));
        return true;
      },
      [&](std::size_t, const ProcessDeath* death) {
        EXPECT_EQ(death, nullptr);
        ++ended;
      });
  EXPECT_EQ(lines.size(), 6U);
  EXPECT_EQ(ended, 3U);
}

TEST(Processes, ReportTheirDeathAndWhatTheyPrintedLast) {
  std::set<std::string> deaths;
  (void)in_processes(
      2,
      [](std::size_t number, const auto&) {
        std::fputs("the last words\n", stderr);
        if (number == 0) std::abort();
        std::fflush(stderr);
        ::_exit(7);
      },
      [](std::size_t, const std::string&) { return true; },
      [&](std::size_t, const ProcessDeath* death) {
        ASSERT_NE(death, nullptr);
        EXPECT_THAT(death->output, HasSubstr("the last words"));
        deaths.insert(death->how);
      });
  EXPECT_THAT(deaths, ::testing::ElementsAre("exit code 7", "signal 6 (Aborted)"));
}

TEST(Processes, DieIfTheirFunctionEndsThemWithoutAnError) {
  std::string how;
  (void)in_processes(
      1, [](std::size_t, const auto&) { ::_exit(0); }, [](std::size_t, const std::string&) { return true; },
      [&](std::size_t, const ProcessDeath* death) {
        ASSERT_NE(death, nullptr);
        how = death->how;
      });
  EXPECT_EQ(how, "exit code 0");
}

TEST(Processes, EndWhenTheirRealTimeIsOver) {
  bool timed_out = false;
  (void)in_processes(
      1,
      [](std::size_t, const auto&) {
        limit_real_time(std::chrono::milliseconds(1));
        volatile bool is_over = false;
        while (!is_over) {}
      },
      [](std::size_t, const std::string&) { return true; },
      [&](std::size_t, const ProcessDeath* death) {
        ASSERT_NE(death, nullptr);
        timed_out = death->timed_out;
      });
  EXPECT_TRUE(timed_out);
}

TEST(Processes, EndWhenALineIsEnough) {
  int seen = 0;
  (void)in_processes(
      2,
      [](std::size_t, const auto& send) {
        for (;;) send("more");
      },
      [&](std::size_t, const std::string&) { return ++seen < 10; },
      [](std::size_t, const ProcessDeath*) { ADD_FAILURE() << "no calls after the end"; });
  EXPECT_EQ(seen, 10);
}

TEST(Processes, EndWhenTheyAreInterrupted) {
  std::size_t asked = 0;
  const auto ran = in_processes(
      2, [](std::size_t, const auto&) { ::pause(); }, [](std::size_t, const std::string&) { return true; },
      [](std::size_t, const ProcessDeath*) { ADD_FAILURE() << "the interruption is no death"; },
      [&] { return ++asked == 2; });
  EXPECT_TRUE(ran);
  EXPECT_EQ(asked, 2U);
}

// Those that have been started are ended.
TEST(Processes, ThatCannotBeStartedAreAnError) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{.rlim_cur = 40, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto ran = in_processes(
      200, [](std::size_t, const auto&) { ::pause(); }, [](std::size_t, const std::string&) { return true; },
      [](std::size_t, const ProcessDeath*) { ADD_FAILURE() << "no process runs"; });
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message, HasSubstr("cannot start a process for the trials: Too many open files (process "));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
}

}  // namespace
}  // namespace pintle
