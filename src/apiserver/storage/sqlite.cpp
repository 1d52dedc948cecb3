// SPDX-License-Identifier: Apache-2.0
#include "sqlite.hpp"

#include <system_error>

namespace pintle::apiserver {
namespace {

tl::expected<void, int> checked(int code) {
  if (code != SQLITE_OK) return tl::unexpected(code);
  return {};
}

}  // namespace

SqliteStatement& SqliteStatement::bind(int at, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), at, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int at, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), at, number);
  return *this;
}

tl::expected<bool, int> SqliteStatement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return tl::unexpected(code);
}

tl::expected<void, int> SqliteStatement::run() {
  const auto stepped = step();
  reset();
  if (!stepped) return tl::unexpected(stepped.error());
  return {};
}

std::string_view SqliteStatement::text(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string_view{}
                          : std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

tl::expected<void, int> Sqlite::open(const std::string& path) {
  // SQLite opens ":memory:" and "" as temporary databases.
  const std::string file = path.starts_with('/') ? path : "./" + path;
  sqlite3* connection = nullptr;
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);
  return checked(code);
}

tl::expected<void, int> Sqlite::run(const char* statements) {
  return checked(sqlite3_exec(connection_.get(), statements, nullptr, nullptr, nullptr));
}

tl::expected<SqliteStatement, int> Sqlite::prepare(std::string_view statement) {
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v3(connection_.get(), statement.data(), static_cast<int>(statement.size()),
                                      SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  if (code != SQLITE_OK) return tl::unexpected(code);
  SqliteStatement out;
  out.statement_.reset(made);
  return out;
}

tl::expected<std::int64_t, int> Sqlite::number(std::string_view statement) {
  auto prepared = prepare(statement);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto row = prepared->step();
  if (!row) return tl::unexpected(row.error());
  return prepared->number(0);
}

std::string Sqlite::reason() const {
  if (connection_ == nullptr) return "out of memory";
  std::string out = sqlite3_errmsg(connection_.get());
  const int code = sqlite3_system_errno(connection_.get());
  if (code != 0) out += ": " + std::generic_category().message(code);
  return out;
}

}  // namespace pintle::apiserver
