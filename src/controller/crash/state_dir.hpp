// SPDX-License-Identifier: Apache-2.0
// StateDir: a directory that outlives the process, with the keys in work, the crashes of each key, and crash reports.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>

#include "quarantine.hpp"

namespace pintle {

// The directory contains text files:
//   in-work  one line for each worker, written in place: the key that it reconciles, or nothing
//   deaths   one line for each suspect; the file is replaced as a whole
//   crash-N  one report for each fatal signal; the last ten are kept
// No fsync: the files must survive a crash of the process, not of the host. While the directory is open, no other
// process can open it. Not thread-safe, except for put() and blank(), which may be called concurrently for different
// seats.
class StateDir {
 public:
  using Line = std::array<char, 512>;  // large enough for the longest names
  static constexpr long max_reports = 10;

  // Creates the directory if its parent exists. A file in another format is renamed to NAME.unreadable, and its
  // readable lines are used. Errors of this function and of later writes: invalid, with a message that states the
  // remedy; unavailable, if the disk is full or fails.
  static Result<std::unique_ptr<StateDir>> open(const std::string& path);
  ~StateDir();
  StateDir(const StateDir&) = delete;
  StateDir& operator=(const StateDir&) = delete;

  // The contents of the directory when it was opened.
  [[nodiscard]] const LeftInWork& left() const noexcept { return left_; }
  [[nodiscard]] const std::vector<Suspect>& deaths() const noexcept { return deaths_; }
  [[nodiscard]] const std::vector<std::string>& set_aside() const noexcept { return set_aside_; }

  // Replaces the file `deaths` atomically.
  Result<void> keep_deaths(const std::vector<Suspect>& suspects);
  // Clears the file `in-work` and reserves a line for each seat.
  Result<void> begin(std::size_t seats);

  // Returns false if the names are too long or contain a tab or a line break.
  [[nodiscard]] static bool print(const Suspect& in_work, Line& line);
  // Writes the line of a seat. Returns false if the write failed; the seat is unchanged then.
  bool put(std::size_t seat, const Line& line) const noexcept;
  bool blank(std::size_t seat) const noexcept;
  // Marks the key of this seat: a fatal signal was raised on its thread. The next process reads the mark.
  // Async-signal-safe.
  void put_named(std::size_t seat, const Line& line) const noexcept;

  // Path of the next report.
  [[nodiscard]] const std::string& next_report() const noexcept { return next_report_; }
  // Path of the newest existing report; empty if there is none.
  [[nodiscard]] const std::string& last_report() const noexcept { return last_report_; }

 private:
  explicit StateDir(std::string path);

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] Error wrong(const std::string& what, int reason) const;
  Result<void> lock();
  Result<void> read_work();
  Result<void> read_deaths();
  Result<void> set_aside(const std::string& name);
  void find_crash_reports();

  const std::string path_;
  int work_ = -1;
  LeftInWork left_;
  std::vector<Suspect> deaths_;
  std::vector<std::string> set_aside_;
  std::string next_report_;
  std::string last_report_;
};

}  // namespace pintle
