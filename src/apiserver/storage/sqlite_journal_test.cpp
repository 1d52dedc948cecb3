// SPDX-License-Identifier: Apache-2.0
#include "sqlite_journal.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "sqlite.hpp"

namespace pintle::apiserver {
namespace {

namespace fs = std::filesystem;

Object kept_object(std::string_view name, std::size_t size = 1) {
  return Object(json::Value(json::object{{"name", name}, {"text", std::string(size, 'x')}}));
}

class SqliteJournalTest : public testing::Test {
 protected:
  SqliteJournalTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SqliteJournalTest() override { fs::remove_all(folder_); }

  Result<Kept> open(const fs::path& path) { return open_sqlite_journal(executor_, path.string()); }
  Kept open() { return open(path_).value(); }
  std::string error(const fs::path& path) {
    auto opened = open(path);
    return opened ? "" : opened.error().message;
  }
  static std::string names(const Kept& kept) {
    std::string out;
    for (const auto& entry : kept.state.entries)
      out += entry.collection + ":" + entry.key + "=" + std::string(entry.object["/name"].text()) + " ";
    return out;
  }

  SimulatedExecutor executor_;
  const fs::path folder_ = fs::path(testing::TempDir()) / ("pintle_journal_" + std::to_string(::getpid()));
  const fs::path path_ = folder_ / "data";
};

TEST_F(SqliteJournalTest, KeepsObjectsAndTheVersion) {
  {
    Kept kept = open();
    EXPECT_EQ(kept.state.version, 0U);
    ASSERT_TRUE(kept.journal->commit({{"b", "x/1", kept_object("one")}, {"a", "2", kept_object("two")}}, 8));
    ASSERT_TRUE(kept.journal->commit({{"a", "2", kept_object("zwei")}, {"a", "3", kept_object("three")}}, 10));
    ASSERT_TRUE(kept.journal->commit({{"b", "x/1", Object()}}, 11));
  }
  const Kept kept = open();
  EXPECT_EQ(kept.state.version, 11U);
  EXPECT_EQ(names(kept), "a:2=zwei a:3=three ");
}

TEST_F(SqliteJournalTest, KeepsWhatWasCommittedBeforeTheProcessWasKilled) {
  Kept kept = open();
  ASSERT_TRUE(kept.journal->commit({{"a", "1", kept_object("one")}}, 5));
  // The files as they are while the database is open.
  fs::copy_file(path_, folder_ / "copy");
  fs::copy_file(path_.string() + "-wal", folder_ / "copy-wal");
  const Kept copy = open(folder_ / "copy").value();
  EXPECT_EQ(copy.state.version, 5U);
  EXPECT_EQ(names(copy), "a:1=one ");
}

TEST_F(SqliteJournalTest, IsUsedByOneServerAtATime) {
  const Kept kept = open();
  const auto second = open(path_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::unavailable);
  EXPECT_EQ(second.error().message, path_.string() + ": another server uses this file");
}

TEST_F(SqliteJournalTest, RefusesFilesThatItCannotRead) {
  { const Kept kept = open(); }
  {
    Sqlite database;
    ASSERT_TRUE(database.open(path_.string()));
    ASSERT_TRUE(database.run("PRAGMA user_version=7"));
  }
  EXPECT_EQ(error(path_),
            path_.string() + ": the file has the format 7, and this version of pintle reads only the format 1");
  const fs::path foreign = folder_ / "foreign";
  {
    Sqlite database;
    ASSERT_TRUE(database.open(foreign.string()));
    ASSERT_TRUE(database.run("CREATE TABLE t (a)"));
  }
  EXPECT_EQ(error(foreign), foreign.string() + ": the file is a database of another program");
  const fs::path text = folder_ / "text";
  std::ofstream(text) << "apiVersion: v1\nkind: ConfigMap\n" << std::string(4096, '#');
  EXPECT_EQ(error(text), text.string() + ": the file is not a data file of pintle");
  EXPECT_EQ(error(folder_ / "none" / "data"),
            (folder_ / "none" / "data").string() + ": unable to open database file: No such file or directory");
}

TEST_F(SqliteJournalTest, ReportsADamagedFile) {
  {
    Kept kept = open();
    std::vector<std::string> keys;
    for (int i = 0; i < 200; ++i) keys.push_back("key" + std::to_string(i));
    std::vector<Record> records;
    for (const std::string& key : keys) records.push_back({"a", key, kept_object(key, 500)});
    ASSERT_TRUE(kept.journal->commit(records, 200));
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  const auto size = static_cast<std::streamoff>(fs::file_size(path_));
  for (std::streamoff at = 4096; at < size; at += 4096) file.seekp(at) << std::string(64, '\xff');
  file.close();
  EXPECT_EQ(error(path_).substr(0, (path_.string() + ": the file is damaged").size()),
            path_.string() + ": the file is damaged");
}

// Limits the size of files of this process, as a full disk does.
class FullDisk {
 public:
  FullDisk() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = 64 << 10;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(SqliteJournalTest, RefusesACommitThatDoesNotFitAndContinues) {
  {
    Kept kept = open();
    ASSERT_TRUE(kept.journal->commit({{"a", "1", kept_object("one")}}, 5));
    {
      const FullDisk full;
      const auto refused =
          kept.journal->commit({{"a", "1", kept_object("large", 256 << 10)}, {"a", "2", kept_object("two")}}, 7);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
      EXPECT_EQ(refused.error().message.find("the data file " + path_.string() + " cannot be written: "), 0U)
          << refused.error().message;
    }
    ASSERT_TRUE(kept.journal->commit({{"a", "3", kept_object("three")}}, 8));
  }
  const Kept kept = open();
  EXPECT_EQ(names(kept), "a:1=one a:3=three ");
  EXPECT_EQ(kept.state.version, 8U);
}

}  // namespace
}  // namespace pintle::apiserver
