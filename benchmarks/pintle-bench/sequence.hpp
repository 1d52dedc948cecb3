// SPDX-License-Identifier: Apache-2.0
// The values that `write` sends in an annotation, and the files in which `write` and `latency` record times.
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

// "SEQ/SENT_NS"; SENT_NS is in nanoseconds since 1970.
struct SequenceValue {
  std::uint64_t sequence = 0;
  std::int64_t sent = 0;

  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] static std::optional<SequenceValue> parse(std::string_view text);
  friend auto operator<=>(const SequenceValue&, const SequenceValue&) = default;
};

[[nodiscard]] inline std::int64_t unix_ns(WallTime time) { return time.time_since_epoch().count(); }

// A file with the lines "SEQ<TAB>UNIX_NS". Error of open(): invalid, with the file and the reason why it cannot be
// written.
class TimesFile {
 public:
  [[nodiscard]] static Result<TimesFile> open(const std::string& file);
  // When this function returns, other processes can read the line.
  void add(std::uint64_t sequence, std::int64_t at);

  // Returns the current contents of such a file, by sequence number; empty if there is no file.
  [[nodiscard]] static std::map<std::uint64_t, std::int64_t> read(const std::string& file);

 private:
  std::ofstream lines_;
};

}  // namespace pintle::benchmarks
