// SPDX-License-Identifier: Apache-2.0
// Builder: encodes the events on a tape as a document, for one document after another.
#pragma once

#include <pintle/json/document.hpp>
#include <pintle/json/pool.hpp>

#include "encoder.hpp"
#include "recent_texts.hpp"
#include "tape.hpp"

namespace pintle::json {

// Not thread-safe, but several builders may use one pool.
class Builder {
 public:
  explicit Builder(Pool* pool = nullptr);

  [[nodiscard]] Tape& tape() noexcept { return tape_; }
  [[nodiscard]] const Tape& tape() const noexcept { return tape_; }
  // Encodes the value on the tape as a document and clears the tape. If the tape has no complete value, returns an
  // empty document. Error: invalid, if the value exceeds the maximum size of a document.
  [[nodiscard]] Result<Document> finish();

  // The texts of a pool. A reader of the pool that meets one of them as its only part returns the document of this text
  // instead of parsing it.
  [[nodiscard]] static RecentTexts& recent(Pool& pool);

 private:
  Result<Block*> encode();

  Pool* const pool_;
  Tape tape_;
  Encoder encoder_;
};

}  // namespace pintle::json
