// SPDX-License-Identifier: Apache-2.0
// The finalizer example, unchanged, in a simulated cluster and a temporary folder.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <pintle/testing/simulation.hpp>

#define main finalizer_main
#include "../../examples/04-finalizer/main.cpp"
#undef main

namespace pintle::testkit {
namespace {

// Changes the working folder of the process to a temporary one, and back at the end.
class TemporaryWorkingFolder {
 public:
  TemporaryWorkingFolder() : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "pintle-example-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::filesystem::current_path(folder_);
  }
  ~TemporaryWorkingFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  TemporaryWorkingFolder(const TemporaryWorkingFolder&) = delete;
  TemporaryWorkingFolder& operator=(const TemporaryWorkingFolder&) = delete;

 private:
  std::filesystem::path before_;
  std::filesystem::path folder_;
};

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(FinalizerExample, TheFolderIsRemovedWithTheObjectAlsoAfterADowntime) {
  const TemporaryWorkingFolder here;
  Simulation simulation({.seed = 1});
  const auto start = [&] {
    auto instance =
        std::make_unique<Instance>(simulation, ManagerOptions{.name = "finalizer-operator", .log_level = LogLevel::off},
                                   [](Manager& manager) { manager.add(folders()); });
    instance->start();
    EXPECT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    return instance;
  };
  auto instance = start();
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(simulation.user().create(
        Folder{.metadata = {.name = name, .namespace_ = "default"}, .spec = {.note = std::string("note of ") + name}}));
  }
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(text_of("folders/default/a/README.txt"), "note of a\n");
  EXPECT_EQ(simulation.server().objects("events").size(), 2U);

  ASSERT_TRUE(simulation.user().remove(Folder::type, {"default", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(std::filesystem::exists("folders/default/a"));
  EXPECT_TRUE(std::filesystem::exists("folders/default/b"));
  EXPECT_EQ(simulation.server().objects("folders.demo.pintle.dev").size(), 1U);

  instance->crash();
  ASSERT_TRUE(simulation.user().remove(Folder::type, {"default", "b"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_TRUE(std::filesystem::exists("folders/default/b")) << "the object waits for its folder";
  instance = start();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(std::filesystem::exists("folders/default/b"));
  EXPECT_TRUE(simulation.server().objects("folders.demo.pintle.dev").empty());
  instance.reset();
}

}  // namespace
}  // namespace pintle::testkit
