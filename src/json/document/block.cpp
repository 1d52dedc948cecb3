// SPDX-License-Identifier: Apache-2.0
#include "block.hpp"

#include <algorithm>
#include <cstring>

#include "shared_parts.hpp"

namespace pintle::json {

Block* Block::make(std::span<const Word> words, std::string_view bytes, SharedParts* parts) {
  static_assert(sizeof(Block) == first_place + sizeof(Word));
  void* memory = ::operator new(first_place + words.size_bytes() + bytes.size());
  auto* block =
      new (memory) Block(static_cast<std::uint32_t>(words.size()), static_cast<std::uint32_t>(bytes.size()), parts);
  char* content = static_cast<char*>(memory) + first_place;
  std::memcpy(content, words.data(), words.size_bytes());
  if (!bytes.empty()) std::memcpy(content + words.size_bytes(), bytes.data(), bytes.size());
  return block;
}

void Block::let_go() const noexcept {
  auto* block = const_cast<Block*>(this);  // NOLINT(*-const-cast): this was the last handle
  if (parts_ == nullptr) {
    free(block);
  } else {
    parts_->retire(block);
  }
}

}  // namespace pintle::json
