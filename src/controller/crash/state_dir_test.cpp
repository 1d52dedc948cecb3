// SPDX-License-Identifier: Apache-2.0
#include "state_dir.hpp"

#include <gmock/gmock.h>

#include "crash_test_support.hpp"

namespace pintle {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Suspect suspect(const std::string& name, unsigned deaths = 0) {
  return {.controller = "note", .key = {"default", name}, .edition = "uid/1", .deaths = deaths};
}

class StateDirTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] std::unique_ptr<StateDir> open() const {
    auto opened = StateDir::open(path_);
    EXPECT_TRUE(opened) << opened.error().to_string();
    return opened ? std::move(*opened) : nullptr;
  }
  [[nodiscard]] static std::string refusal(const std::string& path) {
    const auto opened = StateDir::open(path);
    EXPECT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::invalid);
    return opened ? "" : opened.error().to_string();
  }
  static void put(const StateDir& dir, std::size_t seat, const std::string& name) {
    StateDir::Line line;
    ASSERT_TRUE(StateDir::print(suspect(name), line));
    dir.put(seat, line);
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("state");
};

TEST_F(StateDirTest, KeysInWorkAreReadByTheNextProcess) {
  {
    const auto dir = open();
    ASSERT_TRUE(dir->begin(3));
    put(*dir, 0, "a");
    put(*dir, 1, "b");
    put(*dir, 2, "c");
    dir->blank(1);
  }
  const auto dir = open();
  EXPECT_THAT(dir->left().all, ElementsAre(suspect("a"), suspect("c")));
  EXPECT_THAT(dir->left().named, IsEmpty());
  EXPECT_THAT(dir->set_aside(), IsEmpty());
  ASSERT_TRUE(dir->begin(1));
  EXPECT_EQ(text_of_file(file("in-work")).size(), 2 * std::tuple_size_v<StateDir::Line>);
}

TEST_F(StateDirTest, AKeyCanBeNamedInABlankSeat) {
  {
    const auto dir = open();
    ASSERT_TRUE(dir->begin(2));
    put(*dir, 0, "a");
    StateDir::Line line;
    ASSERT_TRUE(StateDir::print(suspect("b"), line));
    dir->put_named(1, line);
  }
  const auto dir = open();
  EXPECT_THAT(dir->left().all, ElementsAre(suspect("a"), suspect("b")));
  EXPECT_THAT(dir->left().named, ElementsAre(suspect("b")));
}

TEST_F(StateDirTest, KeepsDeathsAlsoOfMissingAndClusterScopedObjects) {
  const std::vector<Suspect> kept{suspect("a", 3),
                                  {.controller = "node", .key = {"", "n"}, .edition = "", .deaths = 12}};
  EXPECT_TRUE(open()->keep_deaths(kept));
  EXPECT_EQ(open()->deaths(), kept);
  EXPECT_TRUE(open()->keep_deaths({}));
  EXPECT_THAT(open()->deaths(), IsEmpty());
}

TEST_F(StateDirTest, AKeyThatDoesNotFitIntoALineIsNotPrinted) {
  StateDir::Line line;
  EXPECT_TRUE(StateDir::print({.controller = "c", .key = {std::string(63, 'n'), std::string(253, 'o')}}, line));
  EXPECT_FALSE(StateDir::print({.controller = "c", .key = {"", std::string(600, 'o')}}, line));
  EXPECT_FALSE(StateDir::print({.controller = "c", .key = {"", "a\nb"}}, line));
  EXPECT_FALSE(StateDir::print({.controller = "c\td", .key = {"", "a"}}, line));
}

TEST_F(StateDirTest, ASecondProcessIsRefused) {
  auto first = open();
  EXPECT_THAT(refusal(path_), AllOf(HasSubstr(path_), HasSubstr("another process uses it"),
                                    HasSubstr("give each process its own directory")));
  first.reset();
  EXPECT_NE(open(), nullptr);
}

TEST_F(StateDirTest, ReportsWhyADirectoryCannotBeUsed) {
  EXPECT_THAT(refusal(folder_.path("none/state")),
              AllOf(HasSubstr("none/state"), HasSubstr("mount a volume there"), HasSubstr("No such file")));
  write_file(folder_.path("file"), "x");
  EXPECT_THAT(refusal(folder_.path("file")), AllOf(HasSubstr("cannot write in-work"), HasSubstr("Not a directory")));
  std::filesystem::create_directories(file("in-work"));
  EXPECT_THAT(refusal(path_), AllOf(HasSubstr("cannot write in-work"), HasSubstr("Is a directory")));
}

// Nothing is lost: the file is kept under another name for a person to inspect, and its readable rows are used.
TEST_F(StateDirTest, AFileThatIsNotOfThisFormatIsSetAside) {
  const std::string good = "3\tnote\tdefault\ta\tuid/1\n";
  const std::string work = "pintle keys in work, format 1\n";
  struct Case {
    std::string name;
    std::string text;
    std::size_t read;
  };
  const std::vector<Case> cases{
      {"deaths",
       "\x7f"
       "ELF\n\n\n",
       0},
      {"deaths", "pintle deaths, format 2\n" + good, 0},
      {"deaths", "pintle deaths, format 1\n" + good + "many\tnote\tdefault\tb\tuid/1\n", 1},
      {"deaths", "pintle deaths, format 1\n" + good + "4\tnote\tdefa", 1},
      {"deaths", "pintle deaths, format 1\n" + good + "-1\tnote\tdefault\tb\tuid/1\n", 1},
      {"deaths", std::string(5U << 20U, 'x'), 0},
      {"in-work", "garbage", 0},
      {"in-work", std::string(1000, '\0'), 0},
      {"in-work", work + "?\tnote\tdefault\ta\tuid/1\n\n#\tnote\tdefault\tb\tuid/1\n", 1},
      {"in-work", work + "?\tnote\tdefault\t\tuid/1\n", 0},
  };
  for (const Case& one : cases) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
    write_file(file(one.name), one.text);
    const auto dir = open();
    const std::string aside = file(one.name + ".unreadable");
    EXPECT_THAT(dir->set_aside(), ElementsAre(aside)) << one.text.substr(0, 80);
    EXPECT_EQ(text_of_file(aside), one.text);
    EXPECT_EQ(dir->deaths().size() + dir->left().all.size(), one.read) << one.text.substr(0, 80);
    ASSERT_TRUE(dir->keep_deaths({}));
    ASSERT_TRUE(dir->begin(1));
    EXPECT_THAT(text_of_file(file("in-work")), StartsWith("pintle keys in work, format 1"));
    EXPECT_THAT(refusal(path_), HasSubstr("another process"));
  }
}

TEST_F(StateDirTest, TheLastReportsStay) {
  std::filesystem::create_directory(path_);
  for (int i = 1; i <= 15; ++i) write_file(file("crash-" + std::to_string(i)), "x");
  write_file(file("crash-x"), "x");
  const auto dir = open();
  EXPECT_EQ(dir->last_report(), file("crash-15"));
  EXPECT_EQ(dir->next_report(), file("crash-16"));
  for (int i = 1; i <= 15; ++i) {
    EXPECT_EQ(std::filesystem::exists(file("crash-" + std::to_string(i))), i > 6) << i;
  }
  EXPECT_TRUE(std::filesystem::exists(file("crash-x")));
}

}  // namespace
}  // namespace pintle
