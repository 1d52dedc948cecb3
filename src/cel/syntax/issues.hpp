// SPDX-License-Identifier: Apache-2.0
// Source and Issues: the text of an expression and the mistakes that the parser and the checker find in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pintle::cel {

struct Issue {
  std::size_t offset = 0;  // in bytes
  std::string message{};
};

struct Position {
  std::size_t line = 1;
  std::size_t column = 1;  // in code points
};

// The text of an expression. It is well-formed UTF-8: malformed bytes are replaced when a source is made.
class Source {
 public:
  explicit Source(std::string_view text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] std::size_t code_points() const noexcept;
  [[nodiscard]] Position position(std::size_t offset) const noexcept;
  // "ERROR: <input>:1:5: undefined field 'b'", the line, and a mark below the place.
  [[nodiscard]] std::string describe(const Issue& issue) const;

 private:
  std::string text_;
};

// Collects issues up to a limit and counts the others.
class Issues {
 public:
  explicit Issues(std::size_t limit) noexcept : limit_(limit) {}

  void add(std::size_t offset, std::string message);
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  // In the order of their places.
  [[nodiscard]] std::vector<Issue> sorted() const;
  [[nodiscard]] std::string describe(const Source& source) const;

 private:
  std::size_t limit_;
  std::size_t count_ = 0;
  std::vector<Issue> issues_{};
};

}  // namespace pintle::cel
