// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/document.hpp>

#include <span>
#include <utility>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

#include "block.hpp"
#include "builder.hpp"
#include "walk.hpp"

namespace pintle::json {
namespace {

template <class Source>
Document built(const Source& source, Pool* pool) {
  Builder builder(pool);
  walk(source, builder.tape());
  return builder.finish().value();
}

}  // namespace

Builder::Builder(Pool* pool) : pool_(pool), tape_(pool == nullptr ? 0 : pool->seed_) {}

Result<Document> Builder::finish() {
  if (!tape_.is_complete()) return Document();
  auto block = encode();
  tape_.clear();
  if (!block) return fail(std::move(block.error()));
  return Document(*block);
}

Result<Block*> Builder::encode() {
  if (pool_ == nullptr) return encoder_.encode(tape_, nullptr);
  const MutexLock lock(pool_->mutex_);
  pool_->parts_->drain();
  SharedParts& parts = *pool_->parts_;
  auto block = encoder_.encode(tape_, &parts);
  if (!block) return block;
  for (const auto& [source, word] : encoder_.shared_containers()) {
    const std::span<const Word> words(&word, 1);
    parts.use(words);
    parts.adopt();
    tape_.learn(source, word, Document(Block::make(words, {}, &parts)));
  }
  return block;
}

RecentTexts& Builder::recent(Pool& pool) { return pool.parts_.get()->recent; }

Document::Document(const Value& value, Pool* pool) : Document(built(value, pool)) {}
Document::Document(View view, Pool* pool) : Document(view.exists() ? built(view, pool) : Document()) {}

Document::Document(const Document& other) noexcept : block_(other.block_) {
  if (block_ != nullptr) block_->acquire();
}

Document::~Document() {
  if (block_ != nullptr) block_->release();
}

View Document::root() const noexcept { return block_ == nullptr ? View{} : View(block_, block_->root()); }

bool Document::is_in(const Pool& pool) const noexcept {
  return block_ != nullptr && block_->parts() == pool.parts_.get();
}

std::size_t Document::bytes() const noexcept { return block_ == nullptr ? 0 : block_->size(); }

}  // namespace pintle::json
