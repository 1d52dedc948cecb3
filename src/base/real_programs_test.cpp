// SPDX-License-Identifier: Apache-2.0
// Real programs: the shell and its commands.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/base/programs.hpp>

namespace pintle {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

class RealPrograms : public testing::Test {
 protected:
  static ProgramCall shell(const std::string& script) { return {.program = "sh", .arguments = {"-c", script}}; }
  std::string output_of(const std::string& script) {
    const auto result = programs_->run(shell(script));
    return result ? result->output : result.error().to_string();
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  std::unique_ptr<Programs> programs_ = make_real_programs(*executor_);
};

TEST_F(RealPrograms, ReturnStatusOutputAndErrors) {
  const auto result = programs_->run(shell("echo out; echo problem >&2; exit 3"));

  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->status, 3);
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "problem\n");
  EXPECT_EQ(programs_->run(shell("kill -TERM $$"))->status, 128 + SIGTERM);
}

TEST_F(RealPrograms, PassArgumentsUnchanged) {
  const auto result = programs_->run({.program = "printf", .arguments = {"[%s]", "a b", "", "$HOME;'"}});

  EXPECT_EQ(result->output, "[a b][][$HOME;']");
}

TEST_F(RealPrograms, AddToTheEnvironmentOfThisProcess) {
  ::setenv("PINTLE_TEST_KEPT", "kept", 1);
  ::setenv("PINTLE_TEST_REPLACED", "old", 1);
  ProgramCall call = shell("echo $PINTLE_TEST_KEPT $PINTLE_TEST_REPLACED $PINTLE_TEST_ADDED");
  call.environment = {{"PINTLE_TEST_REPLACED", "new"}, {"PINTLE_TEST_ADDED", "added"}};

  EXPECT_EQ(programs_->run(call)->output, "kept new added\n");
}

TEST_F(RealPrograms, HaveEmptyInputUnlessItIsInherited) { EXPECT_EQ(output_of("cat; echo end"), "end\n"); }

// Without this, a plugin would hold the sockets of the operator, and a write to a closed connection could block.
TEST_F(RealPrograms, InheritNoDescriptors) {
  const int leaky = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GE(leaky, 0);

  const auto result = programs_->run(shell("exec readlink /proc/self/fd/" + std::to_string(leaky)));

  EXPECT_EQ(result->status, 1) << result->output;
  EXPECT_EQ(result->output, "");
  ::close(leaky);
}

TEST_F(RealPrograms, RunWithDefaultSignals) {
  sigset_t blocked;
  sigset_t old;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &old);
  const auto ignored = std::signal(SIGPIPE, SIG_IGN);

  const std::string masked = output_of("sed -n 's/^SigBlk:[ \\t]*//p' /proc/self/status");
  const std::string discarded = output_of("sed -n 's/^SigIgn:[ \\t]*//p' /proc/self/status");

  std::signal(SIGPIPE, ignored);
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  EXPECT_EQ(std::stoull(masked, nullptr, 16), 0U);
  // glibc uses the signals 32 and 33 itself and ignores them in new processes.
  EXPECT_EQ(std::stoull(discarded, nullptr, 16) & 0x7fff'ffffU, 0U);
}

// The group contains the descendants, which would otherwise outlive the program.
TEST_F(RealPrograms, AreKilledWithTheirGroupAtATimeout) {
  ProgramCall call = shell("sleep 1000 & echo $! >&2; wait");
  call.timeout = milliseconds(300);

  const auto result = programs_->run(call);

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::timeout);
  EXPECT_THAT(result.error().message, HasSubstr("did not end within 300ms"));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was not reaped";
}

// A login prints the address and the code that a person must enter.
TEST_F(RealPrograms, ShowTheirErrorsToAPersonWhileTheyRun) {
  ProgramCall call = shell("echo enter ABC-123 >&2; exec sleep 1000");
  call.inherit_input = true;
  call.timeout = milliseconds(500);

  testing::internal::CaptureStderr();
  const auto result = programs_->run(call);
  const std::string shown = testing::internal::GetCapturedStderr();

  EXPECT_EQ(shown, "enter ABC-123\n");
  EXPECT_THAT(result.error().message, HasSubstr("did not end within 500ms and was killed: enter ABC-123"));
}

TEST_F(RealPrograms, ShowNoErrorsIfTheyNeedNoPerson) {
  testing::internal::CaptureStderr();
  const auto result = programs_->run(shell("echo problem >&2"));
  const std::string shown = testing::internal::GetCapturedStderr();

  EXPECT_EQ(shown, "");
  EXPECT_EQ(result->errors, "problem\n");
}

// The limit is set after the start, so the program waits for it.
TEST_F(RealPrograms, CanHaveALowerLimitOfOpenFiles) {
  const auto limited = make_real_programs(*executor_, 77);

  const auto result = limited->run(shell("until [ $(ulimit -Sn) = 77 ]; do :; done; ulimit -Hn"));

  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->output, output_of("ulimit -Hn"));
}

TEST_F(RealPrograms, AreKilledAtAStop) {
  const std::string file = (std::filesystem::temp_directory_path() / "pintle-programs-XXXXXX").string();
  std::string pipe = file;
  const int made = ::mkstemp(pipe.data());
  ::close(made);
  std::stop_source stop;
  Thread stopper = executor_->spawn({.name = "stopper"}, [&] {
    while (std::filesystem::file_size(pipe) == 0) executor_->sleep_for(milliseconds(1));
    stop.request_stop();
  });

  // The descendant ignores the end of the shell; it ends only if the whole group is killed.
  const auto result = programs_->run(shell("sleep 1000 & echo $! > " + pipe + "; wait"), stop.get_token());

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  pid_t descendant = 0;
  std::ifstream(pipe) >> descendant;
  ASSERT_GT(descendant, 1);
  const auto is_gone = [&] {
    std::ifstream status("/proc/" + std::to_string(descendant) + "/stat");
    std::string text;
    std::getline(status, text);
    return text.empty() || text.find(") Z") != std::string::npos;  // a zombie waits for its new parent
  };
  for (int i = 0; i < 2000 && !is_gone(); ++i) executor_->sleep_for(milliseconds(1));
  EXPECT_TRUE(is_gone());
  std::filesystem::remove(pipe);
}

TEST_F(RealPrograms, HaveABoundedOutput) {
  ProgramCall call = shell("yes");
  call.max_output = 100'000;

  const auto result = programs_->run(call);

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid);
  EXPECT_THAT(result.error().message, HasSubstr("more than 100000 bytes"));
}

TEST_F(RealPrograms, KeepTheEndOfLongErrors) {
  const auto result = programs_->run(shell("seq 1 20000 >&2; echo reason >&2"));

  EXPECT_LE(result->errors.size(), std::size_t{16} << 10U);
  EXPECT_TRUE(result->errors.ends_with("20000\nreason\n"));
}

TEST_F(RealPrograms, EndWhenADescendantKeepsTheOutputOpen) {
  const Instant begun = executor_->now();

  const auto result = programs_->run(shell("sleep 20 & echo done"));

  EXPECT_EQ(result->output, "done\n");
  EXPECT_LT(executor_->now() - begun, seconds(15));
}

TEST_F(RealPrograms, NameAMissingProgram) {
  const auto by_name = programs_->run({.program = "pintle-no-such-program"});
  EXPECT_EQ(by_name.error().code, ErrorCode::not_found);
  EXPECT_THAT(by_name.error().message, HasSubstr("\"pintle-no-such-program\" is not in a folder of $PATH"));

  const auto by_path = programs_->run({.program = "/nowhere/plugin"});
  EXPECT_EQ(by_path.error().code, ErrorCode::not_found);
  EXPECT_THAT(by_path.error().message, HasSubstr("/nowhere/plugin: No such file"));

  EXPECT_EQ(programs_->run({.program = "/etc/passwd"}).error().code, ErrorCode::invalid);
}

TEST_F(RealPrograms, AreNotRunOnAThreadThatMustNotBlock) {
  Thread io = executor_->spawn({.name = "io", .may_block = false},
                               [&] { EXPECT_EQ(programs_->run(shell("true")).error().code, ErrorCode::unsupported); });
}

}  // namespace
}  // namespace pintle
