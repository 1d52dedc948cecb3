// json::Memory: where the values of one task lie together, for a task that makes many and throws them all away.
#pragma once

#include <array>
#include <cstddef>

#include <boost/json/monotonic_resource.hpp>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

// Gives nothing back before its own end, which its values must not see: no place for work whose number of steps
// somebody else chooses. A value moves to another place of the same memory for nothing; elsewhere it is copied. Of one
// thread.
class Memory {
 public:
  Memory() : resource_(first_.data(), first_.size()) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  [[nodiscard]] boost::json::storage_ptr storage() noexcept { return &resource_; }

 private:
  std::array<unsigned char, std::size_t{4} << 10U> first_;  // NOLINT(*-member-init): it is room, and no value
  boost::json::monotonic_resource resource_;
};

// As parse().
[[nodiscard]] Result<Value> parse(std::string_view text, Memory& memory);
// As View::to_value().
[[nodiscard]] Value to_value(View view, Memory& memory);

}  // namespace pintle::json
