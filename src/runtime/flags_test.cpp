#include "flags.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace pintle {
namespace {

class FlagsTest : public ::testing::Test {
 protected:
  Result<Flags> read(std::vector<std::string> arguments) {
    arguments_ = std::move(arguments);
    arguments_.insert(arguments_.begin(), "hello-operator");
    pointers_.clear();
    for (std::string& argument : arguments_) pointers_.push_back(argument.data());
    options.args = {static_cast<int>(pointers_.size()), pointers_.data()};
    return read_flags(options);
  }

  ManagerOptions options{.name = "hello-operator", .version = "1.2.3"};

 private:
  std::vector<std::string> arguments_;
  std::vector<char*> pointers_;
};

TEST_F(FlagsTest, OverridesTheOptionsOfTheCode) {
  options.namespace_ = "from-code";
  options.context = "kept";
  ASSERT_TRUE(read({"--kubeconfig", "/k", "--namespace=n", "--listen", ":8080", "--crds", "upgrade", "--log-level",
                    "debug", "--log-format", "json"}));
  EXPECT_EQ(options.kubeconfig, "/k");
  EXPECT_EQ(options.namespace_, "n");
  EXPECT_EQ(options.context, "kept");
  EXPECT_EQ(options.listen, ":8080");
  EXPECT_EQ(options.crds, Crds::upgrade);
  EXPECT_EQ(options.log_level, LogLevel::debug);
  EXPECT_EQ(options.log_format, LogFormat::json);
}

TEST_F(FlagsTest, SayHowPagesAreServed) {
  ASSERT_TRUE(read({}));
  EXPECT_FALSE(options.serving.tls || options.serving.authorize || options.serving.profiling);

  ASSERT_TRUE(read({"--tls", "--tls-cert-file=/c", "--tls-private-key-file", "/k", "--authorize", "--profiling"}));
  EXPECT_TRUE(options.serving.tls);
  EXPECT_EQ(options.serving.certificate_file, "/c");
  EXPECT_EQ(options.serving.key_file, "/k");
  EXPECT_TRUE(options.serving.authorize);
  EXPECT_TRUE(options.serving.profiling);
}

TEST_F(FlagsTest, LeaderElectionIsSwitchedOnAndTuned) {
  ASSERT_TRUE(read({}));
  EXPECT_FALSE(options.leader_election);

  ASSERT_TRUE(read({"--leader-elect", "--leader-elect-name=l", "--leader-elect-namespace", "n",
                    "--leader-elect-identity", "me", "--leader-elect-lease-duration", "1m30s",
                    "--leader-elect-renew-deadline", "1.5m", "--leader-elect-retry-period=250ms"}));
  ASSERT_TRUE(options.leader_election);
  EXPECT_EQ(options.leader_election->name, "l");
  EXPECT_EQ(options.leader_election->namespace_, "n");
  EXPECT_EQ(options.leader_election->identity, "me");
  EXPECT_EQ(options.leader_election->lease_duration, std::chrono::seconds(90));
  EXPECT_EQ(options.leader_election->renew_deadline, std::chrono::seconds(90));
  EXPECT_EQ(options.leader_election->retry_period, std::chrono::milliseconds(250));
}

TEST_F(FlagsTest, LeaderElectionOfTheCodeIsKeptOrSwitchedOff) {
  options.leader_election = LeaderElectionOptions{.name = "from-code", .retry_period = std::chrono::seconds(1)};
  ASSERT_TRUE(read({"--leader-elect-namespace", "n"}));
  EXPECT_EQ(options.leader_election->name, "from-code");
  EXPECT_EQ(options.leader_election->namespace_, "n");
  EXPECT_EQ(options.leader_election->retry_period, std::chrono::seconds(1));

  ASSERT_TRUE(read({"--no-leader-elect"}));
  EXPECT_FALSE(options.leader_election);
}

TEST_F(FlagsTest, RefusesDetailsOfAnElectionThatIsOff) {
  const auto flags = read({"--leader-elect-name", "l"});
  ASSERT_FALSE(flags);
  EXPECT_EQ(flags.error().message, "--leader-elect-name needs --leader-elect");
}

TEST_F(FlagsTest, HelpNamesTheProgramAndEveryFlag) {
  const auto flags = read({"--help"});
  ASSERT_TRUE(flags);
  for (const char* part :
       {"hello-operator 1.2.3", "--kubeconfig", "--context", "--namespace", "--listen", "--crds", "--log-level",
        "--log-format", "--print-crds", "--leader-elect,", "--no-leader-elect", "--leader-elect-name",
        "--leader-elect-namespace", "--leader-elect-identity", "--leader-elect-lease-duration",
        "--leader-elect-renew-deadline", "--leader-elect-retry-period"}) {
    EXPECT_NE(flags->help.find(part), std::string::npos) << part;
  }
}

TEST_F(FlagsTest, RefusesWhatItDoesNotKnowInOneLine) {
  for (const auto& arguments : {std::vector<std::string>{"--nope"},
                                {"--crds", "sometimes"},
                                {"--log-level", "loud"},
                                {"stray"},
                                {"--leader-elect", "--leader-elect-retry-period", "2"},
                                {"--leader-elect", "--leader-elect-retry-period", "-2s"},
                                {"--leader-elect", "--leader-elect-retry-period", "2 s"},
                                {"--leader-elect", "--leader-elect-retry-period", "1e30h"},
                                {"--leader-elect", "--leader-elect-retry-period", "99999999999h"}}) {
    const auto flags = read(arguments);
    ASSERT_FALSE(flags) << arguments.front();
    const std::string text = flags.error().to_string();
    EXPECT_NE(text.find(arguments.back()), std::string::npos) << text;
    EXPECT_NE(text.find("--help"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

TEST_F(FlagsTest, WithoutArgumentsTheCodeDecides) {
  const auto flags = read_flags(options);
  ASSERT_TRUE(flags);
  EXPECT_TRUE(flags->help.empty());
}

}  // namespace
}  // namespace pintle
