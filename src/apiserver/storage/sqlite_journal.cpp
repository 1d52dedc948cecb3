// SPDX-License-Identifier: Apache-2.0
// With a write-ahead log and synchronous=NORMAL, a commit is one or more writes to the log, in the memory of the
// operating system. It survives the end of the process. After a power failure, the newest commits may be missing, but
// the file is consistent.
#include "sqlite_journal.hpp"

#include <utility>

#include <fmt/format.h>
#include <pintle/json/reader.hpp>

#include "sqlite.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::int64_t application = 0x70696e74;  // "pint"
constexpr std::int64_t format = 1;

constexpr const char* create_tables =
    "CREATE TABLE object (collection TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, "
    "                     PRIMARY KEY (collection, key));"
    "CREATE TABLE newest (id INTEGER PRIMARY KEY CHECK (id = 0), version INTEGER NOT NULL);"
    "INSERT INTO newest VALUES (0, 0);";

class SqliteJournal final : public Journal {
 public:
  explicit SqliteJournal(std::string path) : path_(std::move(path)) {}

  Result<KeptState> open(Executor& executor) {
    if (auto opened = database_.open(path_); !opened) return failed(opened.error());
    // No other process can open the database, and the index of the log needs no shared memory.
    if (auto set = database_.run("PRAGMA locking_mode=EXCLUSIVE"); !set) return failed(set.error());
    if (auto usable = check_format(); !usable) return fail(std::move(usable.error()));
    if (database_.is_read_only()) return fail(ErrorCode::invalid, fmt::format("{}: the file is not writable", path_));
    constexpr const char* set_up = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL";
    if (auto set = database_.run(set_up); !set) return failed(set.error());
    if (is_new_) {
      if (auto made = create(); !made) return failed(made.error());
    }
    auto state = load(executor);
    if (!state) return state;
    if (auto prepared = prepare(); !prepared) return failed(prepared.error());
    return state;
  }

  Result<void> commit(const std::vector<Record>& records, Version version) override {
    auto kept = write(records, version);
    if (kept) return {};
    const std::string why = database_.reason();
    // Some errors end the transaction, and then there is nothing to roll back. The checkpoint empties the log, in which
    // an incomplete sync may have left this commit.
    (void)database_.run("ROLLBACK");
    (void)database_.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return fail(ErrorCode::unavailable, fmt::format("the data file {} cannot be written: {}", path_, why));
  }

 private:
  tl::unexpected<Error> failed(int code) const {
    switch (code & 0xff) {
      case SQLITE_BUSY:
      case SQLITE_LOCKED: return fail(ErrorCode::unavailable, fmt::format("{}: another server uses this file", path_));
      case SQLITE_NOTADB:
        return fail(ErrorCode::unsupported, fmt::format("{}: the file is not a data file of pintle", path_));
      case SQLITE_CORRUPT:
        return fail(ErrorCode::invalid, fmt::format("{}: the file is damaged: {}", path_, database_.reason()));
      default: return fail(ErrorCode::invalid, fmt::format("{}: {}", path_, database_.reason()));
    }
  }

  Result<void> check_format() {
    const auto tables = database_.number("SELECT count(*) FROM sqlite_schema");
    if (!tables) return failed(tables.error());
    is_new_ = *tables == 0;
    if (is_new_) return {};
    const auto id = database_.number("PRAGMA application_id");
    const auto version = database_.number("PRAGMA user_version");
    if (!id || !version) return failed(!id ? id.error() : version.error());
    if (*id != application) {
      return fail(ErrorCode::unsupported, fmt::format("{}: the file is a database of another program", path_));
    }
    if (*version == format) return {};
    return fail(ErrorCode::unsupported,
                fmt::format("{}: the file has the format {}, and this version of pintle reads only the format {}",
                            path_, *version, format));
  }

  tl::expected<void, int> create() {
    const std::string all = fmt::format("BEGIN; {} PRAGMA application_id={}; PRAGMA user_version={}; COMMIT",
                                        create_tables, application, format);
    return database_.run(all.c_str());
  }

  Result<KeptState> load(Executor& executor) {
    KeptState out{.pool = std::make_shared<json::Pool>(executor)};
    const auto version = database_.number("SELECT version FROM newest");
    if (!version) return failed(version.error());
    out.version = static_cast<Version>(*version);
    auto rows = database_.prepare("SELECT collection, key, body FROM object ORDER BY collection, key");
    if (!rows) return failed(rows.error());
    json::Reader reader(
        {.pool = out.pool.get()});  // one for all rows, because it stores parts that similar objects share
    while (true) {
      const auto row = rows->step();
      if (!row) return failed(row.error());
      if (!*row) return out;
      const auto added = reader.add(rows->text(2));
      auto body = reader.finish();
      if (!added || !body) {
        return fail(ErrorCode::invalid, fmt::format("{}: the file is damaged: {} {}: {}", path_, rows->text(0),
                                                    rows->text(1), body.error().message));
      }
      out.entries.push_back({.collection = std::string(rows->text(0)),
                             .key = std::string(rows->text(1)),
                             .object = Object(std::move(*body))});
    }
  }

  tl::expected<void, int> prepare() {
    const std::pair<SqliteStatement*, std::string_view> all[] = {
        {&begin_, "BEGIN IMMEDIATE"},
        {&put_,
         "INSERT INTO object VALUES (?1, ?2, ?3) "
         "ON CONFLICT (collection, key) DO UPDATE SET body = excluded.body"},
        {&erase_, "DELETE FROM object WHERE collection = ?1 AND key = ?2"},
        {&set_version_, "UPDATE newest SET version = ?1"},
        {&commit_, "COMMIT"}};
    for (const auto& [statement, text] : all) {
      auto prepared = database_.prepare(text);
      if (!prepared) return tl::unexpected(prepared.error());
      *statement = std::move(*prepared);
    }
    return {};
  }

  tl::expected<void, int> write(const std::vector<Record>& records, Version version) {
    if (auto begun = begin_.run(); !begun) return begun;
    for (const Record& record : records) {
      SqliteStatement& statement = record.object ? put_ : erase_;
      statement.bind(1, record.collection).bind(2, record.key);
      text_.clear();
      if (record.object) {
        record.object.root().print_to(text_);
        statement.bind(3, text_);
      }
      if (auto done = statement.run(); !done) return done;
    }
    if (auto set = set_version_.bind(1, static_cast<std::int64_t>(version)).run(); !set) return set;
    return commit_.run();
  }

  const std::string path_;
  Sqlite database_;  // destroyed after the statements
  bool is_new_ = false;
  SqliteStatement begin_;
  SqliteStatement put_;
  SqliteStatement erase_;
  SqliteStatement set_version_;
  SqliteStatement commit_;
  std::string text_;
};

}  // namespace

Result<Kept> open_sqlite_journal(Executor& executor, const std::string& path) {
  auto journal = std::make_unique<SqliteJournal>(path);
  auto state = journal->open(executor);
  if (!state) return fail(std::move(state.error()));
  return Kept{.journal = std::move(journal), .state = std::move(*state)};
}

}  // namespace pintle::apiserver
