// SPDX-License-Identifier: Apache-2.0
#include "profile_pages.hpp"

#include <signal.h>
#include <sys/time.h>

#include <optional>

#include <gmock/gmock.h>

#include <pintle/json/value.hpp>
#include <pintle/testing/seeds.hpp>

#include "telemetry/cpu_sampler.hpp"
#include "telemetry/symbols.hpp"

// Sanitizers delay signals until a thread reaches a place of their choice, and its stack is useless there.
constexpr bool can_sample = !pintle::testkit::is_sanitized;

namespace pintle {

// The tests search profiles for the name of this function.
__attribute__((noinline)) double busy_with_roots(double from) {
  volatile double sum = from;
  for (int i = 0; i < 200'000; ++i) sum = sum + 1.0 / (1.0 + static_cast<double>(i));
  return sum;
}

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class ProfilePagesTest : public ::testing::Test {
 protected:
  http::Response send(const std::string& target, std::string method = "GET") {
    return pages_.handle({.method = std::move(method), .target = target});
  }
  // Returns whether the signal and its timer are unused, as without a profile.
  static bool signal_is_as_before() {
    struct sigaction action {};
    sigaction(SIGPROF, nullptr, &action);
    itimerval timer{};
    getitimer(ITIMER_PROF, &timer);
    return action.sa_handler == SIG_DFL && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0;
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  ProfilePages pages_{*executor_};
};

TEST_F(ProfilePagesTest, NamesABusyFunction) {
  if (!can_sample) GTEST_SKIP() << "not under a sanitizer";
  http::Response response = send("/debug/profile?seconds=1");
  ASSERT_EQ(response.status, 200) << response.body;
  std::string text;
  double sum = 0;
  http::BodyStream::State state = response.stream->read(text);
  EXPECT_EQ(state, http::BodyStream::State::waiting);
  while (executor_->now() < response.stream->next_deadline()) sum = busy_with_roots(sum);
  do state = response.stream->read(text);
  while (state == http::BodyStream::State::more);

  EXPECT_EQ(state, http::BodyStream::State::ended);
  EXPECT_GT(sum, 0);
  EXPECT_THAT(text, HasSubstr("pintle::busy_with_roots(double) "));
  EXPECT_THAT(text, HasSubstr("main;"));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    ASSERT_NE(end, std::string::npos);
    EXPECT_THAT(text.substr(at, end - at), MatchesRegex(".+ [1-9][0-9]*"));
    at = end + 1;
  }
  EXPECT_TRUE(signal_is_as_before());
}

TEST_F(ProfilePagesTest, AllowsOneProfileAtATime) {
  EXPECT_TRUE(signal_is_as_before());
  std::optional<http::Response> first = send("/debug/profile?seconds=60");
  ASSERT_EQ(first->status, 200);
  EXPECT_FALSE(signal_is_as_before());
  EXPECT_EQ(send("/debug/profile").status, 409);

  first.reset();

  EXPECT_TRUE(signal_is_as_before());
  EXPECT_EQ(send("/debug/profile").status, 200);
}

TEST_F(ProfilePagesTest, LeavesTheSignalToAnotherProfiler) {
  struct sigaction theirs {};
  theirs.sa_handler = [](int) {};
  struct sigaction before {};
  sigaction(SIGPROF, &theirs, &before);

  EXPECT_EQ(send("/debug/profile").status, 409);

  struct sigaction now {};
  sigaction(SIGPROF, &before, &now);
  EXPECT_EQ(now.sa_handler, theirs.sa_handler);
  EXPECT_EQ(send("/debug/profile").status, 200);
}

TEST_F(ProfilePagesTest, RefusesLengthsBeyondItsLimits) {
  for (const char* seconds : {"0", "61", "-1", "1s", "x", "99999999999"}) {
    const http::Response refused = send(std::string("/debug/profile?seconds=") + seconds);
    EXPECT_EQ(refused.status, 400) << seconds;
    EXPECT_THAT(refused.body, HasSubstr("1 to 60 seconds"));
  }
  EXPECT_EQ(send("/debug/profile", "POST").status, 405);
}

TEST_F(ProfilePagesTest, ShowTheHeapInUse) {
  const auto in_use = [&] { return json::parse(send("/debug/heap").body).value().at("in_use_bytes").as_int64(); };
  const auto before = in_use();
  const std::string large(10'000'000, 'x');
  if (!can_sample) GTEST_SKIP() << "a sanitizer has its own allocator";
  EXPECT_GE(in_use(), before + 9'000'000);
}

TEST(Symbols, NameFunctionsOfTheProgramAndOfLibraries) {
  Symbols symbols;
  EXPECT_EQ(symbols.name(reinterpret_cast<std::uintptr_t>(&busy_with_roots)), "pintle::busy_with_roots(double)");
  EXPECT_EQ(symbols.name(reinterpret_cast<std::uintptr_t>(&busy_with_roots) + 8), "pintle::busy_with_roots(double)");
  EXPECT_THAT(symbols.name(reinterpret_cast<std::uintptr_t>(&getitimer)), HasSubstr("getitimer"));
  EXPECT_EQ(symbols.name(16), "0x10");
}

}  // namespace
}  // namespace pintle
