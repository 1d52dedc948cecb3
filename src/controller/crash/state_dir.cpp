// SPDX-License-Identifier: Apache-2.0
#include "state_dir.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pintle {
namespace {

constexpr std::string_view work_header = "pintle keys in work, format 1";
constexpr std::string_view deaths_header = "pintle deaths, format 1";
constexpr std::string_view in_work = "?";
constexpr char named = '!';
constexpr std::string_view report_prefix = "crash-";
constexpr std::size_t max_state_size = std::size_t{4} << 20U;

class File {
 public:
  File(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0640)) {}
  ~File() {
    if (number_ >= 0) ::close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

// Returns the content of the file; nullopt if it cannot be read or is larger than the limit.
std::optional<std::string> read_all(int file) {
  std::string text(max_state_size + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t more = ::pread(file, text.data() + size, text.size() - size, static_cast<off_t>(size));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return std::nullopt;
    if (more == 0) break;
    size += static_cast<std::size_t>(more);
  }
  if (size > max_state_size) return std::nullopt;
  text.resize(size);
  return text;
}

bool write_all(int file, std::string_view text) {
  off_t at = 0;
  while (!text.empty()) {
    const ssize_t written = ::pwrite(file, text.data(), text.size(), at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += written;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Returns the text before `end`, or all if there is no `end`, and removes it and `end` from `text`.
std::string_view take_until(std::string_view& text, char end) {
  const std::string_view taken = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), taken.size() + 1));
  return taken;
}

std::string_view without_padding(std::string_view line) { return line.substr(0, line.find_last_not_of(' ') + 1); }

// A line of either file: its first column, and the suspect.
struct Record {
  std::string_view first;
  Suspect suspect;
};

std::string text_of(std::string_view first, const Suspect& suspect) {
  std::string text(first);
  for (const std::string* part : {&suspect.controller, &suspect.key.namespace_, &suspect.key.name, &suspect.edition}) {
    text += '\t';
    text += *part;
  }
  return text;
}

bool fits_in_a_line(const Suspect& suspect) {
  const auto is_plain = [](const std::string& text) { return text.find_first_of("\t\n") == std::string::npos; };
  return is_plain(suspect.controller) && is_plain(suspect.key.namespace_) && is_plain(suspect.key.name) &&
         is_plain(suspect.edition);
}

std::optional<Record> parse(std::string_view line) {
  if (std::count(line.begin(), line.end(), '\t') != 4) return std::nullopt;
  Record record{.first = take_until(line, '\t'), .suspect = {}};
  for (std::string* part : {&record.suspect.controller, &record.suspect.key.namespace_, &record.suspect.key.name,
                            &record.suspect.edition}) {
    *part = take_until(line, '\t');
  }
  if (record.suspect.controller.empty() || record.suspect.key.name.empty()) return std::nullopt;
  return record;
}

// Calls `take` with each line after the header; it returns whether the line is valid. Returns whether the whole text is
// valid.
template <class Take>
bool read_lines(std::string_view text, std::string_view header, Take take) {
  if (text.empty()) return true;
  if (without_padding(take_until(text, '\n')) != header) return false;
  bool all = true;
  while (!text.empty()) {
    const std::string_view line = without_padding(take_until(text, '\n'));
    if (!line.empty() && !take(line)) all = false;
  }
  return all;
}

void pad(StateDir::Line& line, std::string_view text) {
  line.fill(' ');
  std::copy(text.begin(), text.end(), line.begin());
  line.back() = '\n';
}

off_t place_of(std::size_t seat) { return static_cast<off_t>((seat + 1) * std::tuple_size_v<StateDir::Line>); }

// Returns N of "crash-N"; 0 for other names.
long number_of(std::string_view name) {
  if (!name.starts_with(report_prefix)) return 0;
  name.remove_prefix(report_prefix.size());
  long number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() ? number : 0;
}

}  // namespace

StateDir::StateDir(std::string path) : path_(std::move(path)) {}

StateDir::~StateDir() {
  if (work_ >= 0) ::close(work_);
}

Error StateDir::wrong(const std::string& what, int reason) const {
  const bool is_of_disk = reason == ENOSPC || reason == EDQUOT || reason == EIO || reason == EFBIG;
  return make_error(is_of_disk ? ErrorCode::unavailable : ErrorCode::invalid,
                    "state directory " + path_ + ": " + what + ": " + std::generic_category().message(reason));
}

Result<std::unique_ptr<StateDir>> StateDir::open(const std::string& path) {
  std::unique_ptr<StateDir> made(new StateDir(path));
  if (::mkdir(path.c_str(), 0750) != 0 && errno != EEXIST) {
    return fail(made->wrong("it cannot be created; mount a volume there, or choose a path whose parent exists", errno));
  }
  for (const auto step : {&StateDir::lock, &StateDir::read_work, &StateDir::read_deaths}) {
    if (auto done = ((*made).*step)(); !done) return fail(std::move(done.error()));
  }
  made->find_crash_reports();
  return made;
}

// Uses flock(), because the lock ends with the process, even after a crash.
Result<void> StateDir::lock() {
  if (work_ >= 0) ::close(work_);
  work_ = ::open(file("in-work").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
  if (work_ < 0) return fail(wrong("cannot write in-work", errno));
  if (::flock(work_, LOCK_EX | LOCK_NB) == 0) return {};
  if (errno != EWOULDBLOCK) return fail(wrong("cannot lock in-work", errno));
  return fail(ErrorCode::invalid,
              "state directory " + path_ + ": another process uses it; give each process its own directory");
}

Result<void> StateDir::set_aside(const std::string& name) {
  const std::string aside = file(name + ".unreadable");
  if (std::rename(file(name).c_str(), aside.c_str()) != 0) return fail(wrong("cannot set aside " + name, errno));
  set_aside_.push_back(aside);
  return {};
}

Result<void> StateDir::read_work() {
  const auto text = read_all(work_);
  const bool read = text && read_lines(*text, work_header, [&](std::string_view line) {
                      const auto record = parse(line);
                      const bool is_named = record && record->first == std::string_view(&named, 1);
                      if (!record || (!is_named && record->first != in_work)) return false;
                      left_.all.push_back(record->suspect);
                      if (is_named) left_.named.push_back(record->suspect);
                      return true;
                    });
  if (read) return {};
  if (auto moved = set_aside("in-work"); !moved) return moved;
  return lock();
}

Result<void> StateDir::read_deaths() {
  const File old(file("deaths"), O_RDONLY);
  if (old.number() < 0 && errno == ENOENT) return {};
  if (old.number() < 0) return fail(wrong("cannot read deaths", errno));
  const auto text = read_all(old.number());
  const bool read = text && read_lines(*text, deaths_header, [&](std::string_view line) {
                      auto record = parse(line);
                      if (!record) return false;
                      const std::string_view count = record->first;
                      const auto [end, error] =
                          std::from_chars(count.data(), count.data() + count.size(), record->suspect.deaths);
                      if (error != std::errc{} || end != count.data() + count.size()) return false;
                      deaths_.push_back(std::move(record->suspect));
                      return true;
                    });
  return read ? Result<void>() : set_aside("deaths");
}

void StateDir::find_crash_reports() {
  std::vector<long> numbers;
  std::error_code error;
  for (std::filesystem::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
    if (const long number = number_of(it->path().filename().string()); number > 0) numbers.push_back(number);
  }
  const long last = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  const auto report = [&](long number) { return file(std::string(report_prefix) + std::to_string(number)); };
  for (const long number : numbers) {
    if (number <= last + 1 - max_reports) ::unlink(report(number).c_str());
  }
  if (last != 0) last_report_ = report(last);
  next_report_ = report(last + 1);
}

Result<void> StateDir::keep_deaths(const std::vector<Suspect>& suspects) {
  std::string text = std::string(deaths_header) + "\n";
  for (const Suspect& suspect : suspects) {
    if (fits_in_a_line(suspect)) text += text_of(std::to_string(suspect.deaths), suspect) + "\n";
  }
  const std::string fresh = file("deaths.new");
  const File made(fresh, O_WRONLY | O_CREAT | O_TRUNC);
  if (made.number() < 0 || !write_all(made.number(), text) || std::rename(fresh.c_str(), file("deaths").c_str()) != 0) {
    return fail(wrong("cannot write deaths", errno));
  }
  return {};
}

Result<void> StateDir::begin(std::size_t seats) {
  Line line;
  pad(line, work_header);
  std::string text(line.data(), line.size());
  pad(line, {});
  for (std::size_t i = 0; i < seats; ++i) text.append(line.data(), line.size());
  if (::ftruncate(work_, 0) != 0 || !write_all(work_, text)) return fail(wrong("cannot write in-work", errno));
  return {};
}

bool StateDir::print(const Suspect& suspect, Line& line) {
  const std::string text = text_of(in_work, suspect);
  if (text.size() >= line.size() || !fits_in_a_line(suspect)) return false;
  pad(line, text);
  return true;
}

bool StateDir::put(std::size_t seat, const Line& line) const noexcept {
  return ::pwrite(work_, line.data(), line.size(), place_of(seat)) == static_cast<ssize_t>(line.size());
}

bool StateDir::blank(std::size_t seat) const noexcept {
  Line line;
  pad(line, {});
  return put(seat, line);
}

void StateDir::put_named(std::size_t seat, const Line& line) const noexcept {
  put(seat, line);  // stop() may have blanked the line
  (void)!::pwrite(work_, &named, 1, place_of(seat));
}

}  // namespace pintle
