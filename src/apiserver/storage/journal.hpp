// SPDX-License-Identifier: Apache-2.0
// Journal: where a Storage keeps its objects beyond the life of the process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/pool.hpp>
#include <pintle/object/object.hpp>

namespace pintle::apiserver {

using Version = std::uint64_t;

// The new state of one key.
struct Record {
  std::string_view collection{};
  std::string_view key{};
  Object object{};  // none: the object was deleted
};

// A journal that has failed to commit may be used again. Used by one thread at a time.
class Journal {
 public:
  virtual ~Journal() = default;
  // Keeps all records, in their order, and the newest version; or nothing of them. Blocks. When it returns without an
  // error, the records survive the end of the process.
  [[nodiscard]] virtual Result<void> commit(const std::vector<Record>& records, Version version) = 0;
};

// The state that a journal has kept.
struct KeptState {
  struct Entry {
    std::string collection{};
    std::string key{};
    Object object{};
  };
  Version version = 0;  // 0: nothing was ever committed
  std::vector<Entry> entries{};
  std::shared_ptr<json::Pool> pool{};  // of the objects
};

// A journal and what it has kept. `journal` is null for a storage in memory only.
struct Kept {
  std::unique_ptr<Journal> journal{};
  KeptState state{};
};

}  // namespace pintle::apiserver
