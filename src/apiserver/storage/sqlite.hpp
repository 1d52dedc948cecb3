// SPDX-License-Identifier: Apache-2.0
// A connection to a SQLite database and its statements.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

#include <sqlite3.h>

namespace pintle::apiserver {

// Used by one thread at a time.
class SqliteStatement {
 public:
  // Binds the parameters ?1, ?2, …. A text must exist until the statement has run.
  SqliteStatement& bind(int at, std::string_view text);
  SqliteStatement& bind(int at, std::int64_t number);
  // Runs to the next row. Returns false after the last row. Returns the result code of SQLite as an error.
  [[nodiscard]] tl::expected<bool, int> step();
  // Runs a statement without rows and resets it.
  [[nodiscard]] tl::expected<void, int> run();
  void reset() { sqlite3_reset(statement_.get()); }

  // The columns of the current row, from 0. A text is valid until the next step.
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::int64_t number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

 private:
  friend class Sqlite;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_{};
};

// Used by one thread at a time. The errors are result codes of SQLite.
class Sqlite {
 public:
  // Creates the file if it does not exist.
  [[nodiscard]] tl::expected<void, int> open(const std::string& path);
  [[nodiscard]] tl::expected<void, int> run(const char* statements);
  [[nodiscard]] tl::expected<SqliteStatement, int> prepare(std::string_view statement);
  // Runs a statement with one row and one column.
  [[nodiscard]] tl::expected<std::int64_t, int> number(std::string_view statement);
  [[nodiscard]] bool is_read_only() const { return sqlite3_db_readonly(connection_.get(), "main") == 1; }
  // The reason for the last error, with that of the operating system.
  [[nodiscard]] std::string reason() const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
  };
  std::unique_ptr<sqlite3, Close> connection_{};
};

}  // namespace pintle::apiserver
