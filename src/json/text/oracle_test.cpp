// SPDX-License-Identifier: Apache-2.0
// Compares our documents with those of Boost.JSON, which must parse, edit and print alike. Numbers are compared by
// their text, because Boost.JSON reads doubles inexactly.
#include <cstdlib>

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

#include <pintle/base/executor.hpp>
#include <pintle/base/random.hpp>
#include <pintle/json/difference.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/json/pool.hpp>
#include <pintle/json/reader.hpp>

#include "json/random_values.hpp"

namespace pintle::json {
namespace {

bool is_close(double a, double b) { return a == b || std::abs(a - b) <= 1e-12 * std::abs(b); }

// Returns whether our document has the values of the oracle, which parsed the text itself.
bool agrees(View ours, const boost::json::value& oracle) {
  switch (oracle.kind()) {
    case boost::json::kind::null: return ours.is_null();
    case boost::json::kind::bool_: return ours == oracle.get_bool();
    case boost::json::kind::int64: return ours.as_integer() == oracle.get_int64();
    case boost::json::kind::uint64: return ours.as_unsigned() == oracle.get_uint64();
    case boost::json::kind::double_: return ours.as_double() && is_close(*ours.as_double(), oracle.get_double());
    case boost::json::kind::string: return ours == std::string_view(oracle.get_string());
    case boost::json::kind::array: {
      std::size_t i = 0;
      for (const boost::json::value& element : oracle.get_array()) {
        if (!agrees(ours.element(i++), element)) return false;
      }
      return ours.is_array() && ours.size() == i;
    }
    case boost::json::kind::object:
      for (const auto& [key, value] : oracle.get_object()) {
        if (!agrees(ours.member(key), value)) return false;
      }
      return ours.is_object() && ours.size() == oracle.get_object().size();
  }
  return false;
}

Document read_in_pieces(std::string_view text, std::size_t piece, Pool& pool) {
  Reader reader({.pool = &pool});
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    if (!reader.add(text.substr(0, piece))) return Document();
  }
  auto document = reader.finish();
  return document ? *document : Document();
}

// 20,000 cases, or a million if PINTLE_LONG is set.
TEST(Oracle, RandomDocumentsParseEditDiffPatchAndPrintAlike) {
  const int cases = std::getenv("PINTLE_LONG") != nullptr ? 1'000'000 : 20'000;
  const auto executor = make_real_executor(1);
  Pool pool(*executor);
  Random random(11);
  Value value = random_value(random);
  Document before(value);
  for (int i = 0; i < cases; ++i) {
    const Value next = i % 20 == 0 ? random_value(random) : random_edit(random, value);
    const std::string text = print(next);
    const Document document = read_in_pieces(text, 1 + random.below(40), pool);
    ASSERT_EQ(document.root().print(), text);
    ASSERT_TRUE(agrees(document.root(), boost::json::parse(text))) << text;
    ASSERT_EQ(print(document.root().to_value()), text);

    Value patched(value);
    const Patch patch = diff(value, next);
    ASSERT_TRUE(apply_patch(patched, patch.operations)) << print(patch.operations);
    ASSERT_TRUE(Document(patched).root() == document.root()) << print(patch.operations);

    const bool is_same = before.root() == document.root();
    ASSERT_EQ(is_same, patch.empty()) << text;
    ASSERT_EQ(is_same, changed_pointers(before.root(), document.root()).empty()) << text;
    if (is_same) {
      ASSERT_EQ(before.root().hash(), document.root().hash()) << text;
    }
    value = next;
    before = document;
  }
}

// Numbers with an exponent beyond the range of doubles are skipped.
TEST(Oracle, TextsWithErrorsAreAcceptedAndRefusedAlike) {
  const int cases = std::getenv("PINTLE_LONG") != nullptr ? 1'000'000 : 20'000;
  const auto executor = make_real_executor(1);
  Pool pool(*executor);
  Random random(12);
  constexpr std::string_view slips = "{}[]\",:\\ue0-.1 tn\n\x80\xc3";
  int taken = 0;
  for (int i = 0; i < cases; ++i) {
    std::string text = print(random_value(random));
    for (std::uint64_t slip = random.below(3); slip != 0 && !text.empty(); --slip) {
      const std::size_t at = random.below(text.size());
      if (random.below(3) == 0) {
        text.erase(at, 1);
      } else {
        text.insert(at, 1, slips[random.below(slips.size())]);
      }
    }
    boost::json::error_code error;
    const auto oracle = boost::json::parse(text, error, {}, {.max_depth = max_depth});
    const auto ours = Document::parse(text);
    if (error == boost::json::error::exponent_overflow) continue;
    if (!ours && ours.error().message.ends_with("a number is out of range")) continue;
    ASSERT_EQ(ours.has_value(), !error) << text;
    ASSERT_EQ(read_in_pieces(text, 1 + random.below(20), pool).root().exists(), !error) << text;
    if (error) continue;
    ++taken;
    ASSERT_TRUE(agrees(ours->root(), oracle)) << text;
  }
  EXPECT_GT(taken, cases / 4);
}

}  // namespace
}  // namespace pintle::json
