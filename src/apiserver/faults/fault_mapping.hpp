// SPDX-License-Identifier: Apache-2.0
// FaultMapping: one mapping in a file of faults, read member by member.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Records each mistake with its place, and leaves the variable for an invalid member unchanged. A null member counts as
// missing. Used by one thread.
class FaultMapping {
 public:
  // `place` is "" for the whole file.
  FaultMapping(json::View mapping, std::string place, std::vector<StatusCause>& mistakes);

  void read(std::string_view name, std::string& to);
  void read(std::string_view name, bool& to);
  void read(std::string_view name, Duration& to);  // "1m30s"
  void read(std::string_view name, std::uint64_t& to, std::uint64_t least = 0,
            std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  void read_share(std::string_view name, double& to);  // from 0 to 1
  // Accepts one of these names and calls `set` with its index.
  void read_choice(std::string_view name, const std::vector<std::string_view>& choices,
                   const std::function<void(std::size_t)>& set);
  // Accepts one of these names or a list of them.
  void read_choices(std::string_view name, const std::vector<std::string_view>& choices, std::vector<std::string>& to);

  // Returns a member, or a missing view if there is none.
  [[nodiscard]] json::View take(std::string_view name);
  [[nodiscard]] FaultMapping inside(std::string_view name);
  [[nodiscard]] bool has(std::string_view name) const { return mapping_.member(name).exists(); }
  [[nodiscard]] std::string place_of(std::string_view name) const;
  void add_error(std::string_view name, std::string message);  // "": the mapping itself
  // Records a mistake for each member that was not read. Call it once, at the end.
  void finish();

 private:
  json::View mapping_;
  const std::string place_;
  std::vector<StatusCause>& mistakes_;
  std::vector<std::string> known_;
};

}  // namespace pintle::apiserver
