// The values that `write` sends in an annotation, and the two files in which it and `latency` say when.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle::benchmarks {

inline constexpr std::string_view sequence_annotation = "bench.example.com/seq";

// "SEQ/SENT_NS", the time in nanoseconds since 1970.
struct SequenceValue {
  std::uint64_t sequence = 0;
  std::int64_t sent = 0;

  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] static std::optional<SequenceValue> parse(std::string_view text);
  friend auto operator<=>(const SequenceValue&, const SequenceValue&) = default;
};

[[nodiscard]] inline std::int64_t unix_ns(WallTime time) { return time.time_since_epoch().count(); }

// Lines "SEQ<TAB>UNIX_NS". Error of open: invalid, naming the file and why it cannot be written.
class TimesFile {
 public:
  [[nodiscard]] static Result<TimesFile> open(const std::string& file);
  // The line can be read once this returns.
  void add(std::uint64_t sequence, std::int64_t at);

  // What such a file has so far, by sequence number; nothing when there is none.
  [[nodiscard]] static std::map<std::uint64_t, std::int64_t> read(const std::string& file);

 private:
  std::ofstream lines_;
};

}  // namespace pintle::benchmarks
