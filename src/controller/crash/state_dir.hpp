// StateDir: a directory that outlives the process, with the keys in work, the deaths on keys, and reports of signals.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>

#include "quarantine.hpp"

namespace pintle {

// Text files, so that a person can read them:
//   in-work  one line a worker, written in place: the key it works on, or nothing
//   deaths   one line a suspect, replaced as a whole
//   crash-N  one report a fatal signal; the last ten stay
// Nothing here waits for a disk: what was written is in the kernel, which outlives the process, and only the process is
// to be outlived. While one is open, no other process gets the directory. Thread-safety: one caller at a time, but for
// put() and blank(), which are safe for different seats.
class StateDir {
 public:
  using Line = std::array<char, 512>;  // room for the longest names there are
  static constexpr long most_reports = 10;

  // Makes the directory if its parent is there. A file that is not of this format is set aside as NAME.unreadable, and
  // what could be read of it is used. Errors: invalid, naming what to change; unavailable when the disk is full or
  // fails, now or in a later write.
  static Result<std::unique_ptr<StateDir>> open(const std::string& path);
  ~StateDir();
  StateDir(const StateDir&) = delete;
  StateDir& operator=(const StateDir&) = delete;

  // As they were when it was opened.
  [[nodiscard]] const LeftInWork& left() const noexcept { return left_; }
  [[nodiscard]] const std::vector<Suspect>& deaths() const noexcept { return deaths_; }
  [[nodiscard]] const std::vector<std::string>& set_aside() const noexcept { return set_aside_; }

  // Replaces the file of deaths; it is always whole.
  Result<void> keep_deaths(const std::vector<Suspect>& suspects);
  // Forgets what was left in work and makes room for these workers.
  Result<void> begin(std::size_t seats);

  // False for a key whose names are too long or would break the line.
  [[nodiscard]] static bool print(const Suspect& in_work, Line& line);
  // False for a write that failed, which leaves the seat as it was.
  bool put(std::size_t seat, const Line& line) const noexcept;
  bool blank(std::size_t seat) const noexcept;
  // Has the next process know that a fatal signal was raised on the thread of this seat. Async-signal-safe.
  void put_named(std::size_t seat, const Line& line) const noexcept;

  // Where a report goes.
  [[nodiscard]] const std::string& next_report() const noexcept { return next_report_; }
  // The newest there is; empty when there is none.
  [[nodiscard]] const std::string& last_report() const noexcept { return last_report_; }

 private:
  explicit StateDir(std::string path);

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] Error wrong(const std::string& what, int reason) const;
  Result<void> lock();
  Result<void> read_work();
  Result<void> read_deaths();
  Result<void> set_aside(const std::string& name);
  void look_for_reports();

  const std::string path_;
  int work_ = -1;
  LeftInWork left_;
  std::vector<Suspect> deaths_;
  std::vector<std::string> set_aside_;
  std::string next_report_;
  std::string last_report_;
};

}  // namespace pintle
