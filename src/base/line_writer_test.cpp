// SPDX-License-Identifier: Apache-2.0
#include "line_writer.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A pipe that holds one page.
class LineWriterTest : public ::testing::Test {
 protected:
  LineWriterTest() {
    EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0);
    ::fcntl(ends_[1], F_SETPIPE_SZ, 4096);
  }
  ~LineWriterTest() override {
    for (const int end : ends_) ::close(end);
  }
  std::string read(std::size_t size) {
    std::string text(size, '\0');
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(ends_[0], text.data(), size), 0)));
    return text;
  }
  void close_reader() { ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), ends_[0]); }

  std::array<int, 2> ends_{};
  const std::string page_ = std::string(4095, 'a') + '\n';
};

TEST_F(LineWriterTest, WritesALineThatFitsIntoThePipe) {
  LineWriter writer(ends_[1], 1h);

  EXPECT_FALSE(writer.write(page_));
  EXPECT_EQ(read(8192), page_);
}

TEST_F(LineWriterTest, LosesLinesThatNobodyReadsAndContinuesAfterwards) {
  LineWriter writer(ends_[1], 1ms);
  ASSERT_FALSE(writer.write(page_));

  EXPECT_EQ(writer.write("lost\n"), std::errc::timed_out);
  EXPECT_EQ(writer.write("lost\n"), std::errc::timed_out);

  EXPECT_EQ(read(8192), page_);
  EXPECT_FALSE(writer.write("next\n"));
  EXPECT_EQ(read(8192), "next\n");
}

TEST_F(LineWriterTest, WaitsForTheReaderOnceUntilALineIsWrittenAgain) {
  LineWriter writer(ends_[1], 50ms);
  ASSERT_FALSE(writer.write(page_));
  const auto start = std::chrono::steady_clock::now();

  for (int i = 0; i < 1000; ++i) EXPECT_EQ(writer.write("lost\n"), std::errc::timed_out);

  EXPECT_LT(std::chrono::steady_clock::now() - start, 25s) << "1000 waits would be 50 s";
}

TEST_F(LineWriterTest, BeginsANewLineAfterALineThatIsIncomplete) {
  LineWriter writer(ends_[1], 1ms);
  EXPECT_EQ(writer.write(page_.substr(0, 4095) + "the rest\n"), std::errc::timed_out);
  EXPECT_EQ(read(8192).size(), 4096U);

  EXPECT_FALSE(writer.write("next\n"));

  EXPECT_EQ(read(8192), "\nnext\n");
}

TEST_F(LineWriterTest, SurvivesAClosedPipe) {
  LineWriter writer(ends_[1], 1h);
  close_reader();

  EXPECT_EQ(writer.write("a\n"), std::errc::broken_pipe);
  EXPECT_EQ(writer.write("b\n"), std::errc::broken_pipe);

  sigset_t pending;
  sigset_t mask;
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
  EXPECT_EQ(sigismember(&mask, SIGPIPE), 0) << "the mask is as before";
}

TEST_F(LineWriterTest, DoesNotSpinOnAPipeThatDoesNotBlock) {
  ::fcntl(ends_[1], F_SETFL, O_NONBLOCK);
  LineWriter writer(ends_[1], 1ms);
  ASSERT_FALSE(writer.write(page_));

  EXPECT_EQ(writer.write("lost\n"), std::errc::timed_out);
}

TEST(LineWriter, ReportsAFullDiskAndAClosedFile) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(LineWriter(full, 1h).write("a\n"), std::errc::no_space_on_device);
  ::close(full);
  EXPECT_EQ(LineWriter(full, 1h).write("a\n"), std::errc::bad_file_descriptor);
}

}  // namespace
}  // namespace pintle
