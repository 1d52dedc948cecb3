// SPDX-License-Identifier: Apache-2.0
// Compares docs/flags.md with --help of an operator without flags, feature gates and clusters of its own.
#include <regex>
#include <sstream>

#include <pintle/manager/manager.hpp>

#include "manager/flags/flags.hpp"
#include "reference_page.hpp"

namespace pintle::testkit::reference_pages {
namespace {

std::string help_text() {
  char name[] = "NAME";
  char help[] = "--help";
  char* arguments[] = {static_cast<char*>(name), static_cast<char*>(help), nullptr};
  ManagerOptions options{.name = "NAME", .args = {2, static_cast<char**>(arguments)}};
  const auto flags = read_flags(options);
  EXPECT_TRUE(flags) << flags.error().to_string();
  return flags ? flags->text : std::string();
}

// "|" separates the cells of a table, and "<" begins an element.
std::string cell(const std::string& text) { return std::regex_replace(text, std::regex("([|<])"), "\\$1"); }

struct Row {
  std::string flag{};
  std::string help{};
  std::string variable{};
  std::string default_value{};
};

std::string print(const Row& row) {
  const std::string variable = row.variable.empty() ? "" : code(row.variable);
  const std::string value = row.default_value.empty() ? "" : code(row.default_value);
  return "| " + code(row.flag) + " | " + variable + " | " + value + " | " + cell(row.help) + " |\n";
}

// A line of the help text is a title, a flag with or without its help, or a further line of that help.
class FlagTables {
 public:
  explicit FlagTables(const std::string& help) {
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) add(line);
    end_row();
  }

  std::string text{};
  int flags = 0;

 private:
  void add(const std::string& line) {
    static const std::regex title("([A-Z][^:]*):");
    static const std::regex flag("  (-\\S+(?: [A-Z]\\S*)?)(?: +(.*))?");
    static const std::regex detail(" {20,}(.*)");
    static const std::regex source("(?:(PINTLE_[A-Z_]+)(?:, )?)?(?:default (.*))?");
    std::smatch found;
    if (std::regex_match(line, found, title)) {
      end_row();
      title_ = found[1];
    } else if (std::regex_match(line, found, detail)) {
      const std::string content = found[1];
      if (std::smatch parts; std::regex_match(content, parts, source)) {
        row_.variable = parts[1];
        row_.default_value = parts[2];
      } else {
        row_.help += (row_.help.empty() ? "" : " ") + content;
      }
    } else if (std::regex_match(line, found, flag)) {
      end_row();
      row_ = {.flag = found[1], .help = found[2]};
    }
  }

  void end_row() {
    if (row_.flag.empty()) return;
    if (!title_.empty()) {
      text += (text.empty() ? "" : "\n") + ("## " + title_) +
              "\n\n| flag | variable | default | meaning |\n|---|---|---|---|\n";
      title_.clear();
    }
    text += print(row_);
    ++flags;
    row_ = {};
  }

  std::string title_{};  // printed before the next flag
  Row row_{};
};

TEST(ReferencePages, FlagsAreThoseOfHelp) {
  const std::string help = help_text();

  const FlagTables tables(help);

  // Each flag is printed: none is lost because its line has another form.
  const std::regex row("\n  -");
  const auto rows = std::distance(std::sregex_iterator(help.begin(), help.end(), row), {});
  EXPECT_EQ(tables.flags, rows);
  EXPECT_GT(rows, 30);
  check_generated_part("docs/flags.md", tables.text);
}

}  // namespace
}  // namespace pintle::testkit::reference_pages
