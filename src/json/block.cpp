#include "block.hpp"

#include <algorithm>
#include <cstring>

#include "shared_parts.hpp"

namespace pintle::json {

Block* Block::make(std::span<const Word> words, std::string_view bytes, SharedParts* parts) {
  void* memory = ::operator new(sizeof(Block) + words.size_bytes() + bytes.size());
  auto* block =
      new (memory) Block(static_cast<std::uint32_t>(words.size()), static_cast<std::uint32_t>(bytes.size()), parts);
  char* content = static_cast<char*>(static_cast<void*>(block + 1));
  std::memcpy(content, words.data(), words.size_bytes());
  if (!bytes.empty()) std::memcpy(content + words.size_bytes(), bytes.data(), bytes.size());
  return block;
}

void Block::let_go() const noexcept {
  auto* block = const_cast<Block*>(this);  // NOLINT(*-const-cast): nobody else has it any more
  if (parts_ == nullptr) {
    free(block);
  } else {
    parts_->retire(block);
  }
}

}  // namespace pintle::json
