// SPDX-License-Identifier: Apache-2.0
#include "symbols.hpp"

#include <cxxabi.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace pintle {
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

struct Function {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::string name{};
};

// Reads `count` elements of a file from `offset` on. Returns fewer, or none, if the file is damaged.
template <class T>
std::vector<T> read_some(std::ifstream& file, std::uint64_t offset, std::uint64_t count) {
  constexpr std::uint64_t most = std::uint64_t{256} << 20U;  // bytes
  if (count > most / sizeof(T)) return {};
  std::vector<T> some(count);
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(some.data()), static_cast<std::streamsize>(count * sizeof(T)));
  some.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)) / sizeof(T));
  return some;
}

std::vector<Function> functions_in(std::ifstream& file, const std::vector<Section>& sections, const Section& table) {
  std::vector<Function> functions;
  if (table.sh_link >= sections.size() || table.sh_entsize != sizeof(Symbol)) return functions;
  const Section& texts = sections[table.sh_link];
  std::vector<char> names = read_some<char>(file, texts.sh_offset, texts.sh_size);
  names.push_back('\0');
  for (const Symbol& symbol : read_some<Symbol>(file, table.sh_offset, table.sh_size / sizeof(Symbol))) {
    const bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
    if (!is_function || symbol.st_name >= names.size()) continue;
    functions.push_back({symbol.st_value, symbol.st_value + symbol.st_size, &names[symbol.st_name]});
  }
  std::sort(functions.begin(), functions.end(), [](const Function& a, const Function& b) { return a.begin < b.begin; });
  return functions;
}

// Returns all functions of a file, or only the exported ones if the file is stripped.
std::vector<Function> functions_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto header = read_some<Header>(file, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto sections = read_some<Section>(file, header[0].e_shoff, header[0].e_shnum);
  for (const auto type : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (const Section& section : sections) {
      if (section.sh_type == static_cast<decltype(section.sh_type)>(type)) return functions_in(file, sections, section);
    }
  }
  return {};
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    &std::free);
  return text == nullptr ? name : std::string(text.get());
}

}  // namespace

struct Symbols::File {
  std::string path{};
  std::uintptr_t base = 0;  // the load address, which is added to the addresses in the file
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> segments{};
  std::optional<std::vector<Function>> functions{};  // sorted by `begin`; none: not read yet

  [[nodiscard]] bool has(std::uintptr_t address) const {
    return std::any_of(segments.begin(), segments.end(),
                       [&](const auto& segment) { return segment.first <= address && address < segment.second; });
  }

  [[nodiscard]] std::string name(std::uintptr_t address) {
    if (!functions) functions = functions_of(path);
    const std::uintptr_t offset = address - base;
    auto next = std::upper_bound(functions->begin(), functions->end(), offset,
                                 [](std::uintptr_t at, const Function& function) { return at < function.begin; });
    if (next != functions->begin() && offset < (--next)->end) return demangled(next->name);
    return fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1), offset);
  }
};

Symbols::Symbols() {
  const auto add = [](dl_phdr_info* info, std::size_t, void* files) {
    auto file = std::make_unique<File>();
    const std::string_view path = info->dlpi_name;
    file->path = path.empty() ? "/proc/self/exe" : path;  // the entry of the program has no name
    file->base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& segment = info->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD) continue;
      const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
      file->segments.emplace_back(begin, begin + segment.p_memsz);
    }
    static_cast<std::vector<std::unique_ptr<File>>*>(files)->push_back(std::move(file));
    return 0;
  };
  dl_iterate_phdr(add, &files_);
}

Symbols::~Symbols() = default;

std::string Symbols::name(std::uintptr_t address) {
  for (const auto& file : files_) {
    if (file->has(address)) return file->name(address);
  }
  return fmt::format("{:#x}", address);
}

}  // namespace pintle
