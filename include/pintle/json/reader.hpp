// Reader: documents from text that comes in pieces.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/pool.hpp>

namespace pintle::json {

// Which members a document keeps, by path: "/metadata/labels", "/spec/containers/*/image", where * is any member or
// element. What is in the way is kept as far as it leads there, what is below is kept whole.
struct Projection {
  std::vector<std::string> keep{};  // empty: everything
  std::vector<std::string> drop{};  // goes before keep
};

struct ReaderOptions {
  Pool* pool = nullptr;
  bool strict = false;  // a member that an object has twice is an error; else the last counts
  // The member of the whole whose elements, or which itself where it is no list, are read as documents of their own:
  // "items" of a list, "object" of a watch event. Then all else here is about these, and the whole has an empty list or
  // object in its place. "": the whole is the one document.
  std::string parts{};
  std::function<void(Document)> on_part{};
  // Members with texts that each part has that does not say otherwise.
  std::vector<std::pair<std::string, std::string>> defaults{};
  // And those that it has whatever it says; not with `strict`.
  std::vector<std::pair<std::string, std::string>> overrides{};
  Projection projection{};
  // Bytes of text that may come without the end of a document; more is an error, so that a peer that never ends one
  // does not fill the memory.
  std::size_t longest = std::size_t{256} << 20U;
};

// Takes chunks of any size, cut anywhere, and holds no more of the text than one string of it. Thread-safety: none.
class Reader {
 public:
  explicit Reader(ReaderOptions options = {});
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  // Parts are handed out while it runs. Error: invalid, with the offset of the fault from the beginning; what follows
  // is passed over until finish().
  [[nodiscard]] Result<void> add(std::string_view bytes);
  // There is no more: the whole. Error: invalid when something is missing or was wrong. The next text may follow.
  [[nodiscard]] Result<Document> finish();

 private:
  class Inner;
  std::unique_ptr<Inner> inner_;
};

// What the projection keeps of a place. Error: invalid for a path that is none.
[[nodiscard]] Result<Document> project(View view, const Projection& projection, Pool* pool = nullptr);

}  // namespace pintle::json
