// SPDX-License-Identifier: Apache-2.0
// Parses any text as JSON. A text that parses also parses in pieces of any size and with a pool, and its printed form
// parses to an equal document, whatever the reader has read before. A projection that is applied while parsing gives
// the same result as one applied later.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/json/value.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto executor = pintle::make_real_executor(1);
  static pintle::json::Pool pool(*executor);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = pintle::json::Document::parse(text);

  pintle::json::Reader reader({.pool = &pool});
  const std::size_t step = size == 0 ? 1 : 1 + data[0] % 16U;
  for (std::size_t at = 0; at < size; at += step) (void)reader.add(text.substr(at, step));
  const auto in_pieces = reader.finish();
  if (parsed.has_value() != in_pieces.has_value()) std::abort();
  if (!parsed) return 0;
  if (!(in_pieces->root() == parsed->root()) || in_pieces->root().hash() != parsed->root().hash()) std::abort();
  // This reader has read other texts before, and it reads this one several times.
  static pintle::json::Reader reused({.pool = &pool});
  for (int i = 0; i < 4; ++i) {
    (void)reused.add(text);
    const auto read = reused.finish();
    if (!read || !(read->root() == parsed->root())) std::abort();
  }
  const pintle::json::Projection without_a{.drop = {"/a"}};
  pintle::json::Reader leaving_out({.projection = without_a});
  for (std::size_t at = 0; at < size; at += 64 * step) (void)leaving_out.add(text.substr(at, 64 * step));
  const auto left = leaving_out.finish();
  if (!left || !(left->root() == pintle::json::project(parsed->root(), without_a)->root())) std::abort();
  (void)parsed->root().to_value();
  const auto again = pintle::json::Document::parse(parsed->root().print());
  if (!again || !(again->root() == parsed->root())) std::abort();
  return 0;
}
