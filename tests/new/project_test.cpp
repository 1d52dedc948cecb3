// SPDX-License-Identifier: Apache-2.0
#include "new/project.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/json/value.hpp>

#include "new/names.hpp"

namespace pintle::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Files = std::map<std::string, std::string>;

ProjectOptions options_with(std::string_view pattern, bool webhook) {
  return {.name = "shop-operator",
          .group = "acme.example.com",
          .kind = "CronTab",
          .pattern = std::string(pattern),
          .webhook = webhook,
          .url = "https://git.example.com/pintle.git",
          .tag = "some-branch",
          .pintle_version = "3.4.5"};
}

Files files_of(const ProjectOptions& options) {
  auto files = project_files(options);
  EXPECT_TRUE(files) << files.error().message;
  return files ? *files : Files{};
}

std::string at(const Files& files, const std::string& path) {
  const auto found = files.find(path);
  EXPECT_NE(found, files.end()) << path;
  return found == files.end() ? "" : found->second;
}

// Calls `check` for each pattern with and without webhooks.
void for_each_project(const std::function<void(const ProjectOptions&, const Files&)>& check) {
  for (const std::string_view pattern : pattern_names()) {
    for (const bool webhook : {false, true}) {
      SCOPED_TRACE(std::string(pattern) + (webhook ? " --webhook" : ""));
      const ProjectOptions options = options_with(pattern, webhook);
      check(options, files_of(options));
    }
  }
}

TEST(Project, HasNoPlaceholderLeft) {
  const std::regex placeholder("@(if |end)?[a-z_!]*@");
  for_each_project([&](const ProjectOptions&, const Files& files) {
    for (const auto& [path, text] : files) {
      EXPECT_FALSE(std::regex_search(path, placeholder)) << path;
      std::smatch found;
      EXPECT_FALSE(std::regex_search(text, found, placeholder)) << path << ": " << found.str();
    }
  });
}

TEST(Project, HasTheSameFilesInEachPattern) {
  for_each_project([&](const ProjectOptions& options, const Files& files) {
    for (const char* path : {"CMakeLists.txt",
                             "CMakePresets.json",
                             ".dockerignore",
                             ".gitignore",
                             ".github/workflows/ci.yml",
                             "Containerfile",
                             "README.md",
                             "src/main.cpp",
                             "src/api/cron_tab.hpp",
                             "src/reconcile.cpp",
                             "tests/operator_test.cpp",
                             "image/build",
                             "image/root",
                             "deploy/kustomization.yaml",
                             "deploy/crds.yaml",
                             "deploy/rbac.yaml",
                             "deploy/deployment.yaml",
                             "deploy/service.yaml",
                             "deploy/namespace.yaml",
                             "charts/shop-operator/Chart.yaml",
                             "charts/shop-operator/values.yaml",
                             "charts/shop-operator/templates/crds.yaml",
                             "charts/shop-operator/templates/rbac.yaml",
                             "charts/shop-operator/templates/deployment.yaml",
                             "charts/shop-operator/templates/service.yaml"}) {
      at(files, path);
    }
    EXPECT_EQ(files.contains("src/admission.cpp"), options.webhook);
    EXPECT_EQ(files.contains("deploy/platform/rbac.yaml"), options.pattern == "service");
    EXPECT_THAT(at(files, "tests/operator_test.cpp"), HasSubstr("testkit::TestEnvironment environment"));
    EXPECT_EQ(at(files, "tests/operator_test.cpp").find("AccessGranter") != std::string::npos,
              options.pattern == "service")
        << "the test of the pattern takes precedence";
    EXPECT_THAT(at(files, "src/reconcile.cpp"),
                options.pattern == "plain" ? HasSubstr("pintle::Controller<CronTab>")
                                           : HasSubstr("#include <pintle/patterns/" + options.pattern + ".hpp>"));
  });
}

TEST(Project, HasTheNamesOfTheUser) {
  const Files files = files_of(options_with("plain", true));
  EXPECT_THAT(at(files, "src/api/cron_tab.hpp"), HasSubstr("type{\"acme.example.com/v1\", \"CronTab\"}"));
  EXPECT_THAT(at(files, "src/admission.cpp"), HasSubstr("acme.example.com/locked"));
  EXPECT_THAT(at(files, "deploy/crds.yaml"), HasSubstr("\n  name: crontabs.acme.example.com\n"));
  EXPECT_THAT(at(files, "CMakeLists.txt"), HasSubstr("find_package(pintle 3.4 QUIET)"));
  EXPECT_THAT(at(files, "CMakeLists.txt"), HasSubstr("PINTLE_GIT_URL \"https://git.example.com/pintle.git\""));
  EXPECT_THAT(at(files, "CMakeLists.txt"), HasSubstr("PINTLE_GIT_TAG \"some-branch\""));
}

TEST(Project, WithoutAUrlStatesWhereToSetIt) {
  ProjectOptions options = options_with("plain", false);
  for (const char* path : {".github/workflows/ci.yml", "Containerfile"}) {
    EXPECT_THAT(at(files_of(options), path), Not(HasSubstr("PINTLE_GIT_URL"))) << path;
  }
  options.url.clear();
  for (const char* path : {".github/workflows/ci.yml", "Containerfile"}) {
    EXPECT_THAT(at(files_of(options), path), HasSubstr("PINTLE_GIT_URL")) << path;
  }
}

// A kind may be a ConfigMap or have any other name of pintle.
TEST(Project, HasNoUnqualifiedNameThatAKindCanHave) {
  const std::regex no_code(R"re("(\\.|[^"\\])*"|//.*|TEST(_F)?\(\w+, \w+\))re");
  const std::regex pascal(R"((::)?\b[A-Z]\w*[a-z]\w*)");
  for_each_project([&](const ProjectOptions& options, const Files& files) {
    for (const auto& [path, text] : files) {
      if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_THAT(line, Not(HasSubstr("using pintle::"))) << path;
        const std::string code = std::regex_replace(line, no_code, "");
        for (std::sregex_iterator at(code.begin(), code.end(), pascal); at != std::sregex_iterator(); ++at) {
          const std::string name = at->str();
          const bool is_own = name.starts_with(options.kind) || name == "Spec" || name == "Status" || name == "SetUp";
          EXPECT_TRUE(is_own || name.starts_with("::")) << path << ": " << line;
        }
      }
    }
  });
}

TEST(Project, HasManifestsAsTheOperatorPrintsThemForEachGroup) {
  for (const char* group : {"a.b", "example.com", "zoo.org", "1.5"}) {
    ProjectOptions options = options_with("plain", true);
    options.group = group;
    const Files files = files_of(options);
    std::vector<std::string> groups;
    const auto roles = json::parse_yaml_stream(at(files, "deploy/rbac.yaml"));
    for (const json::Value& role : roles.value()) {
      if (role.as_object().at("kind") != "ClusterRole") continue;
      if (role.as_object().at("metadata").as_object().at("name") != "shop-operator") continue;
      for (const json::Value& rule : role.as_object().at("rules").as_array()) {
        groups.emplace_back(rule.as_object().at("apiGroups").as_array().at(0).as_string());
      }
    }
    EXPECT_TRUE(std::ranges::is_sorted(groups)) << ::testing::PrintToString(groups);
    EXPECT_THAT(groups, ::testing::Contains(group));
    const auto crds = json::parse_yaml_stream(at(files, "deploy/crds.yaml"));
    EXPECT_EQ(crds.value().at(0).as_object().at("spec").as_object().at("group"), group);
  }
}

TEST(Project, HasAChartThatOnlySubstitutesValues) {
  const std::regex action(R"(\{\{ \.(Values(\.[a-zA-Z]+)+|Release\.Namespace) \}\})");
  for_each_project([&](const ProjectOptions&, const Files& files) {
    for (const auto& [path, text] : files) {
      if (!path.starts_with("charts/")) {
        EXPECT_THAT(text, Not(HasSubstr("{{ ."))) << path;
      } else if (path.find("/templates/") != std::string::npos) {
        EXPECT_THAT(std::regex_replace(text, action, ""), Not(HasSubstr("{{"))) << path;
        EXPECT_THAT(text, Not(HasSubstr("namespace: shop-operator"))) << path;
      }
    }
  });
}

TEST(Project, HasYamlThatCanBeParsed) {
  for_each_project([&](const ProjectOptions&, const Files& files) {
    for (const auto& [path, text] : files) {
      if (!path.ends_with(".yaml") && !path.ends_with(".yml")) continue;
      if (path.find("/templates/") != std::string::npos) continue;
      const auto parsed = json::parse_yaml_stream(text);
      EXPECT_TRUE(parsed) << path << ": " << parsed.error().message;
    }
  });
}

}  // namespace
}  // namespace pintle::tools
