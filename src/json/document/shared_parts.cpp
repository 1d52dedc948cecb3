// SPDX-License-Identifier: Apache-2.0
#include "shared_parts.hpp"

#include <utility>

#include "hash.hpp"

namespace pintle::json {
namespace {

// The head of the list of retired blocks after close(), when no builder frees them. Never dereferenced.
Block* closed_list() noexcept {
  static constinit char place = 0;
  return static_cast<Block*>(static_cast<void*>(&place));
}

}  // namespace

bool Sightings::seen_elsewhere(std::uint64_t hash, std::uint32_t owner) {
  if (table_ == nullptr || (displaced_ > size_ && size_ < most)) grow();
  Sighting& before = table_[short_hash(hash) & (size_ - 1)];
  const Sighting now{.hash = static_cast<std::uint16_t>(hash), .owner = static_cast<std::uint16_t>(owner)};
  if (before.hash == now.hash && before.owner != now.owner) return true;
  if (before.hash != now.hash) ++displaced_;
  before = now;
  return false;
}

void Sightings::grow() {
  const std::size_t before_size = std::exchange(size_, size_ == 0 ? least : 2 * size_);
  const auto before = std::exchange(table_, std::make_unique<Sighting[]>(size_));
  // The table does not contain the hash bit that now selects the half, so each entry is copied to both halves.
  for (std::size_t i = 0; i < before_size; ++i) table_[i] = table_[i + before_size] = before[i];
  displaced_ = 0;
}

void SharedParts::use(std::span<const Word> words) {
  for (const Word word : words) {
    switch (tag_of(word)) {
      case Tag::shared_text: texts.use(payload_of(word)); break;
      case Tag::shape: shapes.use(payload_of(word)); break;
      case Tag::shared_container: containers.use(payload_of(word)); break;
      default: break;
    }
  }
}

void SharedParts::drop(std::span<const Word> words) {
  for (const Word word : words) {
    const Word number = payload_of(word);
    switch (tag_of(word)) {
      case Tag::shared_text:
        if (texts.drop(number)) texts.erase(number);
        break;
      case Tag::shape:
        if (shapes.drop(number)) shapes.erase(number);
        break;
      case Tag::shared_container:
        if (!containers.drop(number)) break;
        drop(containers[number]);
        containers.erase(number);
        break;
      default: break;
    }
  }
}

// Called before a document is built. The document that the new one replaces is usually still held at this time, and the
// next call frees it. Parts that both contain are therefore not erased and created again.
void SharedParts::drain() {
  Block* block = retired_.exchange(nullptr, std::memory_order_acquire);
  while (block != nullptr) {
    Block* next = block->next_retired_;
    drop(block->words());
    Block::free(block);
    --documents_;
    block = next;
  }
}

void SharedParts::retire(Block* block) noexcept {
  Block* first = retired_.load(std::memory_order_acquire);
  do {
    if (first == closed_list()) {
      Block::free(block);
      left(1);
      return;
    }
    block->next_retired_ = first;
  } while (!retired_.compare_exchange_weak(first, block, std::memory_order_release, std::memory_order_acquire));
}

void SharedParts::close() {
  recent.clear();
  holders_.store(documents_ + 1, std::memory_order_relaxed);
  Block* block = retired_.exchange(closed_list(), std::memory_order_acq_rel);
  std::size_t gone = 1;  // the pool itself
  for (; block != nullptr; ++gone) {
    Block* next = block->next_retired_;
    Block::free(block);
    block = next;
  }
  left(gone);
}

void SharedParts::left(std::size_t documents) noexcept {
  if (holders_.fetch_sub(documents, std::memory_order_acq_rel) == documents) delete this;
}

PoolStats SharedParts::stats() const {
  return {.documents = documents_,
          .texts = texts.size(),
          .shapes = shapes.size(),
          .subtrees = containers.size(),
          .bytes = texts.bytes() + shapes.bytes() + containers.bytes() + sightings.bytes()};
}

Pool::Pool(Executor& executor, PoolOptions options)
    : seed_(executor.random()), mutex_(executor), parts_(new SharedParts(options.sharing, seed_)) {}

Pool::~Pool() = default;

void Pool::Closing::operator()(SharedParts* parts) const { parts->close(); }

void Pool::collect() {
  const MutexLock lock(mutex_);
  parts_->drain();
}

PoolStats Pool::stats() const {
  const MutexLock lock(mutex_);
  return parts_->stats();
}

}  // namespace pintle::json
