// SPDX-License-Identifier: Apache-2.0
// Symbols: the names of functions, from the symbol tables of the files that this process has loaded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pintle {

// Contains the files that were loaded when it was constructed, and reads the table of a file when it is first needed. A
// function without a name, for example in a stripped program, is "FILE+0x1234", which addr2line accepts. Thread-safety:
// one owner.
class Symbols {
 public:
  Symbols();
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // Returns the name of the function that contains this address.
  [[nodiscard]] std::string name(std::uintptr_t address);

 private:
  struct File;
  std::vector<std::unique_ptr<File>> files_;
};

}  // namespace pintle
