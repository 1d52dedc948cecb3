// Builder: makes documents one after the other; a Tape that ends as a document.
#pragma once

#include <pintle/json/document.hpp>
#include <pintle/json/pool.hpp>

#include "encoder.hpp"
#include "tape.hpp"

namespace pintle::json {

// Thread-safety: none, but several builders may use one pool.
class Builder {
 public:
  explicit Builder(Pool* pool = nullptr);

  [[nodiscard]] Tape& tape() noexcept { return tape_; }
  [[nodiscard]] const Tape& tape() const noexcept { return tape_; }
  // What is on the tape, which is empty then; none when nothing is. Error: invalid when it is more than a document can
  // hold.
  [[nodiscard]] Result<Document> finish();

 private:
  Result<Block*> encode();

  Pool* const pool_;
  Tape tape_;
  Encoder encoder_;
};

}  // namespace pintle::json
