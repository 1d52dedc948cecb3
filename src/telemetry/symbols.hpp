// Symbols: the names of functions, from the symbol tables of what this process has loaded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pintle {

// Knows what was loaded when it was made; reads a file's table when it is first needed. A function without a name, in a
// stripped program for one, is "FILE+0x1234", which addr2line understands. Thread-safety: one owner.
class Symbols {
 public:
  Symbols();
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // Of the function that has this address.
  [[nodiscard]] std::string name(std::uintptr_t address);

 private:
  struct File;
  std::vector<std::unique_ptr<File>> files_;
};

}  // namespace pintle
