// SPDX-License-Identifier: Apache-2.0
#include "token_source.hpp"

#include <chrono>
#include <memory>

#include "client/test_support.hpp"

namespace pintle {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Runs on virtual time, so that waiting a minute is instant.
class TokenSourceTest : public ::testing::Test {
 protected:
  TokenSource with_file(const std::string& token = "") {
    return TokenSource(executor_, {.token = token, .token_file = folder_.path("token")}, Log(sink_, executor_));
  }
  void file_holds(const std::string& text) const { folder_.write("token", text); }

  SimulatedExecutor executor_;
  TemporaryFolder folder_;
  std::shared_ptr<LineSink> sink_ = std::make_shared<LineSink>(executor_);
};

TEST_F(TokenSourceTest, AreTheTokenOfTheClusterOrNone) {
  EXPECT_EQ(*TokenSource(executor_, {.token = "t"}, {}).token(), "t");
  EXPECT_EQ(*TokenSource(executor_, {}, {}).token(), "");
}

// The file is read again after a minute, and after a 401 unless the token was read after the request was sent (trap
// 46).
TEST_F(TokenSourceTest, ReadTheFileAgainAfterAMinute) {
  file_holds(" one\n");
  TokenSource source = with_file();
  EXPECT_EQ(*source.token(), "one");
  file_holds("two");

  executor_.sleep_for(seconds(59));
  EXPECT_EQ(*source.token(), "one");
  executor_.sleep_for(seconds(1));
  EXPECT_EQ(*source.token(), "two");
}

TEST_F(TokenSourceTest, ReadTheFileAgainAfterARefusal) {
  file_holds("one");
  TokenSource source = with_file();
  EXPECT_EQ(*source.token(), "one");
  file_holds("two");

  source.on_unauthorized(executor_.now());

  EXPECT_EQ(*source.token(), "two");
}

TEST_F(TokenSourceTest, KeepATokenThatIsNewerThanTheRefusedRequest) {
  const Instant sent = executor_.now();
  executor_.sleep_for(seconds(1));
  file_holds("one");
  TokenSource source = with_file();
  EXPECT_EQ(*source.token(), "one");
  file_holds("two");

  source.on_unauthorized(sent);

  EXPECT_EQ(*source.token(), "one");
}

TEST_F(TokenSourceTest, UseTheLastTokenWhileTheFileIsEmptyAndLogItOnce) {
  file_holds("one");
  TokenSource source = with_file();
  EXPECT_EQ(*source.token(), "one");
  file_holds("");

  for (int i = 0; i < 3; ++i) {
    executor_.sleep_for(seconds(60));
    EXPECT_EQ(*source.token(), "one");
  }

  EXPECT_THAT(sink_->lines(), ElementsAre(AllOf(HasSubstr("is empty"), Not(HasSubstr("one;")))));
}

TEST_F(TokenSourceTest, FallBackToTheTokenBesideTheFile) {
  EXPECT_EQ(*with_file("beside").token(), "beside");
  file_holds("mine");
  EXPECT_EQ(*with_file("beside").token(), "mine");
}

TEST_F(TokenSourceTest, NameAFileThatGivesNoToken) {
  const auto missing = with_file().token();
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("token file " + folder_.path("token") + ": No such file"));

  file_holds("\n");
  EXPECT_THAT(with_file().token().error().message, HasSubstr("is empty"));
}

TEST_F(TokenSourceTest, RefuseATokenWithALineBreakWithoutShowingIt) {
  file_holds("hidden\r\nX-Evil: 1");

  EXPECT_THAT(with_file().token().error().message,
              AllOf(HasSubstr("not allowed in a bearer token"), Not(HasSubstr("hidden"))));
  EXPECT_FALSE(TokenSource(executor_, {.token = "a b"}, {}).token());
}

}  // namespace
}  // namespace pintle
