// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/golden.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/api/everyday.hpp>

namespace pintle::testkit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Golden : public ::testing::Test {
 protected:
  Golden() { fs::create_directories(folder_); }
  ~Golden() override {
    ::unsetenv(update_golden_variable);
    fs::remove_all(folder_);
  }
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  std::string content(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("pintle_golden_" + std::to_string(::getpid()));
  const std::string path_ = folder_ / "golden.yaml";
};

TEST_F(Golden, EqualTextsMatchAndTheFirstDifferenceIsShown) {
  write("a: 1\nb: 2\nc: 3\n");
  EXPECT_TRUE(golden_file(path_, "a: 1\nb: 2\nc: 3\n"));
  const CheckResult other = golden_file(path_, "a: 1\nb: 4\nc: 3\n");
  EXPECT_FALSE(other);
  EXPECT_EQ(other.message,
            path_ + ":2: the file has\n  b: 2\ninstead of\n  b: 4\nPINTLE_UPDATE_GOLDEN=1 writes this file");
  EXPECT_THAT(golden_file(path_, "a: 1\nb: 2\n").message,
              HasSubstr(":3: the file has\n  c: 3\ninstead of\n  (the end of the text)\n"));
  EXPECT_EQ(content(path_), "a: 1\nb: 2\nc: 3\n") << "the file does not change";
}

TEST_F(Golden, AMissingFileIsAFailureThatNamesTheRemedy) {
  const CheckResult missing = golden_file(path_, "x");
  EXPECT_FALSE(missing);
  EXPECT_THAT(missing.message, StartsWith(path_));
  EXPECT_THAT(missing.message, HasSubstr("PINTLE_UPDATE_GOLDEN=1 writes this file"));
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(Golden, TheVariableWritesTheFile) {
  ::setenv(update_golden_variable, "1", 1);
  write("old");
  EXPECT_TRUE(golden_file(path_, "new\n"));
  EXPECT_EQ(content(path_), "new\n");
  const fs::path deeper = folder_ / "deploy" / "crds.yaml";
  EXPECT_TRUE(golden_file(deeper, "x"));
  EXPECT_EQ(content(deeper), "x");
  EXPECT_FALSE(golden_file(path_ + "/below-a-file", "x"));
}

const std::function<int()> copier = program_of({.name = "copier"}, [](Manager& manager) {
  manager.add(
      Controller<ConfigMap>{.owns = {Secret::type}, .reconcile = [](const ConfigMap&, Context&) { return done; }});
});

TEST_F(Golden, TheOutputOfAProgramIsThatOfItsFlags) {
  const auto rbac = output_of_program(copier, {"--print-rbac"});
  ASSERT_TRUE(rbac) << rbac.error().to_string();
  EXPECT_THAT(*rbac, HasSubstr("kind: ClusterRole\n"));
  const auto narrow = output_of_program(copier, {"--print-rbac", "--namespace", "shop"});
  ASSERT_TRUE(narrow) << narrow.error().to_string();
  EXPECT_THAT(*narrow, HasSubstr("namespace: shop\n"));
  const auto deployment = output_of_program(copier, {"--print-deploy", "--deploy-namespace=shop"});
  ASSERT_TRUE(deployment) << deployment.error().to_string();
  EXPECT_THAT(*deployment, HasSubstr("kind: Deployment\n"));
  EXPECT_THAT(*output_of_program(copier, {"--version"}), StartsWith("copier 0.0.0"));
  EXPECT_THAT(*output_of_program(copier, {"--help"}), HasSubstr("--print-rbac"));
}

TEST_F(Golden, ErrorsOfFlagsAndProgramsAreReturned) {
  const auto unknown = output_of_program(copier, {"--print-rback"});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("--print-rback"));
  const auto silent = output_of_program(copier, {"--leader-elect"});
  ASSERT_FALSE(silent);
  EXPECT_THAT(silent.error().message, HasSubstr("printed nothing for the arguments \"--leader-elect\""));
  const auto no_manager = output_of_program([] { return 7; }, {"--print-rbac"});
  ASSERT_FALSE(no_manager);
  EXPECT_THAT(no_manager.error().message, HasSubstr("(exit code 7)"));
}

// The variables of a developer must not change the files.
TEST_F(Golden, TheEnvironmentHasNoEffect) {
  ::setenv("PINTLE_NAMESPACE", "mine", 1);
  const auto rbac = output_of_program(copier, {"--print-rbac"});
  ::unsetenv("PINTLE_NAMESPACE");
  ASSERT_TRUE(rbac) << rbac.error().to_string();
  EXPECT_EQ(rbac->find("mine"), std::string::npos) << *rbac;
}

}  // namespace
}  // namespace pintle::testkit
