#include "credentials.hpp"

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
class CredentialsTest : public ::testing::Test {
 protected:
  Credentials with_file(const std::string& token = "") {
    return Credentials(executor_, {.token = token, .token_file = folder_.path("token")}, Log(sink_, executor_));
  }
  void file_holds(const std::string& text) const { folder_.write("token", text); }

  SimulatedExecutor executor_;
  TemporaryFolder folder_;
  std::shared_ptr<LineSink> sink_ = std::make_shared<LineSink>(executor_);
};

TEST_F(CredentialsTest, AreTheTokenOfTheClusterOrNone) {
  EXPECT_EQ(*Credentials(executor_, {.token = "t"}, {}).token(), "t");
  EXPECT_EQ(*Credentials(executor_, {}, {}).token(), "");
}

// The file is read again after a minute, and after a 401 unless the token was read after the request was sent (trap
// 46).
TEST_F(CredentialsTest, ReadTheFileAgainAfterAMinute) {
  file_holds(" one\n");
  Credentials credentials = with_file();
  EXPECT_EQ(*credentials.token(), "one");
  file_holds("two");

  executor_.sleep_for(seconds(59));
  EXPECT_EQ(*credentials.token(), "one");
  executor_.sleep_for(seconds(1));
  EXPECT_EQ(*credentials.token(), "two");
}

TEST_F(CredentialsTest, ReadTheFileAgainAfterARefusal) {
  file_holds("one");
  Credentials credentials = with_file();
  EXPECT_EQ(*credentials.token(), "one");
  file_holds("two");

  credentials.on_unauthorized(executor_.now());

  EXPECT_EQ(*credentials.token(), "two");
}

TEST_F(CredentialsTest, KeepATokenThatIsNewerThanTheRefusedRequest) {
  const Instant sent = executor_.now();
  executor_.sleep_for(seconds(1));
  file_holds("one");
  Credentials credentials = with_file();
  EXPECT_EQ(*credentials.token(), "one");
  file_holds("two");

  credentials.on_unauthorized(sent);

  EXPECT_EQ(*credentials.token(), "one");
}

TEST_F(CredentialsTest, UseTheLastTokenWhileTheFileIsEmptyAndLogItOnce) {
  file_holds("one");
  Credentials credentials = with_file();
  EXPECT_EQ(*credentials.token(), "one");
  file_holds("");

  for (int i = 0; i < 3; ++i) {
    executor_.sleep_for(seconds(60));
    EXPECT_EQ(*credentials.token(), "one");
  }

  EXPECT_THAT(sink_->lines(), ElementsAre(AllOf(HasSubstr("is empty"), Not(HasSubstr("one;")))));
}

TEST_F(CredentialsTest, FallBackToTheTokenBesideTheFile) {
  EXPECT_EQ(*with_file("beside").token(), "beside");
  file_holds("mine");
  EXPECT_EQ(*with_file("beside").token(), "mine");
}

TEST_F(CredentialsTest, NameAFileThatGivesNoToken) {
  const auto missing = with_file().token();
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("token file " + folder_.path("token") + ": No such file"));

  file_holds("\n");
  EXPECT_THAT(with_file().token().error().message, HasSubstr("is empty"));
}

TEST_F(CredentialsTest, RefuseATokenWithALineBreakWithoutShowingIt) {
  file_holds("hidden\r\nX-Evil: 1");

  EXPECT_THAT(with_file().token().error().message,
              AllOf(HasSubstr("not allowed in a bearer token"), Not(HasSubstr("hidden"))));
  EXPECT_FALSE(Credentials(executor_, {.token = "a b"}, {}).token());
}

}  // namespace
}  // namespace pintle
