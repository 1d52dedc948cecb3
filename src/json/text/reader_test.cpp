// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/reader.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>
#include <pintle/base/random.hpp>
#include <pintle/json/pool.hpp>

#include "json/random_values.hpp"

namespace pintle::json {
namespace {

// Reads a text in pieces of this size. Returns the parts and the whole document, or the error.
std::string read(ReaderOptions options, std::string_view text, std::size_t piece = 3) {
  std::string out;
  options.on_part = [&out](const Document& part) { out += part.root().print() + " "; };
  Reader reader(std::move(options));
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    if (const auto added = reader.add(text.substr(0, piece)); !added) return added.error().message;
  }
  const auto whole = reader.finish();
  return whole ? out + whole->root().print() : whole.error().message;
}

TEST(Reader, ReadsTextCutAnywhere) {
  Random random(5);
  for (int i = 0; i < 2'000; ++i) {
    const std::string text = print(random_value(random));
    ASSERT_EQ(read({}, text, 1 + random.below(7)), text);
  }
  EXPECT_EQ(read({}, "  {\"\\u00e9\\ud83d\\ude00\" : -12.50e1 } \n", 1), "{\"é😀\":-125.0}");
}

TEST(Reader, ReadsTextCutInsideAnEscapeACharacterOrAWord) {
  constexpr std::string_view text =
      R"({"\u0041\"\\\/\b\f\n\r\t":["\ud83d\ude00\u00e9 é€😀 and more than sixteen"],"n":[-1.5e+3,0,true,false,null]})";
  const std::string whole = read({}, text, text.size());
  EXPECT_EQ(whole, R"({"A\"\\/\b\f\n\r\t":["😀é é€😀 and more than sixteen"],"n":[-1500.0,0,true,false,null]})");
  for (std::size_t at = 1; at < text.size(); ++at) {
    Reader reader;
    ASSERT_TRUE(reader.add(text.substr(0, at)) && reader.add(text.substr(at))) << at;
    EXPECT_EQ(reader.finish()->root().print(), whole) << at;
  }
  EXPECT_EQ(read({}, text, 1), whole);
}

TEST(Reader, RefusesInvalidJsonInPiecesOfAnySize) {
  for (const char* text : {"01",
                           "-",
                           "1.",
                           ".5",
                           "1e",
                           "1e+",
                           "+1",
                           "--1",
                           "0x1",
                           "1a",
                           "tru",
                           "truex",
                           "nulL",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{,}",
                           "{a:1}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{\"a\" 1}",
                           "{1:2}",
                           "]",
                           "[}",
                           "{]",
                           "[1}",
                           "\"\\x\"",
                           "\"\\u12g4\"",
                           "\"\\ud800\"",
                           "\"\\ud800x-----------\"",
                           "\"\\ud800\\u0041\"",
                           "\"\\udc00\"",
                           "\"a\nb\"",
                           "\"\x01\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "\"\xe2\x82\"",
                           "\"\x80\"",
                           "\"",
                           "\xef\xbb\xbf{}",
                           "[1]]",
                           "1 1",
                           "'a'",
                           " "}) {
    for (std::size_t piece = 1; piece <= std::string_view(text).size(); ++piece) {
      EXPECT_EQ(read({}, text, piece).substr(0, 21), "invalid JSON at byte ") << text << " " << piece;
    }
  }
}

// A list of objects that have many containers in common, in pieces. A reader with a pool recognizes those.
TEST(Reader, ReadsTheSameWithKnownContainers) {
  const auto executor = make_real_executor();
  Pool pool(*executor);
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    std::vector<Value> specs;
    for (int i = 0; i < 6; ++i) specs.push_back(random_value(random, 4));
    ReaderOptions options{.pool = &pool, .parts = "items", .projection = {.drop = {"/m/f"}}};
    std::string expected;
    array items;
    for (int i = 0; i < 40; ++i) {
      object item{{"m", {{"uid", std::to_string(i)}, {"l", specs[random.below(specs.size())]}}},
                  {"s",
                   {{"a", specs[random.below(specs.size())]},
                    {"b", array{specs[random.below(specs.size())], specs[random.below(specs.size())]}},
                    {"c", {{"text which is long enough", specs[random.below(specs.size())]}}}}}};
      expected += print(Value(item)) + " ";
      item["m"].as_object()["f"] = array{i};
      items.emplace_back(std::move(item));
    }
    const std::string text = print(object{{"items", items}});
    std::string parts;
    options.on_part = [&parts](const Document& part) { parts += part.root().print() + " "; };
    Reader reader(options);
    const std::size_t piece = 1 + random.below(2000);
    std::string chunk;  // each chunk overwrites the one before
    for (std::size_t at = 0; at < text.size(); at += piece) {
      chunk.assign(text, at, piece);
      ASSERT_TRUE(reader.add(chunk));
    }
    ASSERT_TRUE(reader.finish());
    ASSERT_EQ(parts, expected);
  }
  pool.collect();
  EXPECT_EQ(pool.stats().documents, 0U) << "a reader that no longer exists keeps no parts";
}

// Each chunk overwrites the one before with an item of the same size, so that at the place of a container is the next
// one.
TEST(Reader, KnowsAContainerByItsTextAfterItsChunkIsGone) {
  const auto executor = make_real_executor();
  Pool pool(*executor);
  std::vector<std::string> parts;
  Reader reader({.pool = &pool, .parts = "items", .on_part = [&](const Document& part) {
                   parts.push_back(part.root().print());
                 }});
  std::vector<std::string> items;
  std::string text = R"({"items":[)";
  for (int i = 0; i < 60; ++i) {
    const std::string name = i % 3 == 0 ? "the first one" : "the other one";
    items.push_back(R"({"a":{"b":{"name":")" + name + R"("}},"uid":")" + std::to_string(100 + i) + R"("})");
    text += (i == 0 ? "" : ",") + items.back();
  }
  text += "]}";
  const std::size_t period = items[0].size() + 1;
  for (std::size_t begin = 1; begin < period; ++begin) {
    parts.clear();
    std::string chunk = text.substr(0, begin);
    ASSERT_TRUE(reader.add(chunk));
    for (std::size_t at = begin; at < text.size(); at += period) {
      chunk.assign(text, at, period);
      ASSERT_TRUE(reader.add(chunk));
    }
    ASSERT_TRUE(reader.finish());
    ASSERT_EQ(parts, items) << begin;
  }
}

// A container is recognized only at the depth at which it was read or above it, so that the limit on the depth holds.
TEST(Reader, AKnownContainerCountsForTheDepth) {
  const auto executor = make_real_executor();
  Pool pool(*executor);
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + "12345678" + std::string(depth, ']'); };
  const auto in_list = [](const std::string& inner, std::size_t depth) {
    return R"({"a":{"b":)" + std::string(depth, '[') + inner + std::string(depth, ']') + "}}";
  };
  Reader reader({.pool = &pool});
  const std::string part = nested(max_depth - 3);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(reader.add(in_list(part, 1)));
    ASSERT_TRUE(reader.finish());
  }
  EXPECT_FALSE(reader.add(in_list(part, 2)));
  EXPECT_FALSE(reader.finish());
}

// In a list the version may follow the items, and some items may be no objects.
TEST(Reader, ReturnsTheElementsOfAListAsTheyArrive) {
  const ReaderOptions list{.parts = "items", .defaults = {{"apiVersion", "v1"}, {"kind", "Pod"}}};
  for (const std::size_t piece : {1U, 3U, 1000U}) {
    EXPECT_EQ(read(list, R"({"items":[{"a":{"items":[1]}},{"kind":"Other","b":[]}],"metadata":{"v":"7"}})", piece),
              R"({"apiVersion":"v1","kind":"Pod","a":{"items":[1]}} {"kind":"Other","apiVersion":"v1","b":[]} )"
              R"({"items":[],"metadata":{"v":"7"}})");
  }
  EXPECT_EQ(read(list, R"({"metadata":{"items":[{}]},"items":null})"), R"({"metadata":{"items":[{}]},"items":null})");
  EXPECT_EQ(read(list, R"({"items":[1,"x",null,{}]})"), R"({"apiVersion":"v1","kind":"Pod"} {"items":[]})");
  EXPECT_EQ(read(list, R"({"items":[]})"), R"({"items":[]})");
}

TEST(Reader, AddsDefaultsAndOverridesToParts) {
  const ReaderOptions list{.parts = "items", .defaults = {{"a", "0"}}, .overrides = {{"kind", "Pod"}}};
  EXPECT_EQ(
      read(list, R"({"items":[{"kind":"Partial","b":{"kind":"c"}},{"a":"1"},{"b":2,"a":"1"}]})"),
      R"({"a":"0","kind":"Pod","b":{"kind":"c"}} {"a":"1","kind":"Pod"} {"a":"1","b":2,"kind":"Pod"} {"items":[]})");
}

TEST(Reader, ReturnsTheObjectOfAnEvent) {
  EXPECT_EQ(read({.parts = "object"}, R"({"object":{"a":1},"type":"ADDED"})"),
            R"({"a":1} {"object":{},"type":"ADDED"})");
  EXPECT_EQ(read({.parts = "object"}, R"({"type":"ADDED"})"), R"({"type":"ADDED"})");
}

TEST(Reader, ReportsTheOffsetOfAnErrorFromTheBeginning) {
  EXPECT_EQ(read({}, R"({"a":[1,]})"), "invalid JSON at byte 8: syntax error");
  EXPECT_EQ(read({}, "[1] [2]"), "invalid JSON at byte 4: unexpected text after the end");
  EXPECT_EQ(read({}, R"({"a":")"), "invalid JSON at byte 6: the text ends too early");
  EXPECT_EQ(read({}, ""), "invalid JSON at byte 0: the text ends too early");
  EXPECT_EQ(read({}, R"(["\ud800x"])").substr(0, 21), "invalid JSON at byte ");
}

TEST(Reader, RefusesADuplicateMemberWhenStrict) {
  EXPECT_EQ(read({.strict = true}, R"({"a":{"b":1},"c":[{"b":1}]})"), R"({"a":{"b":1},"c":[{"b":1}]})");
  EXPECT_EQ(read({.strict = true}, R"({"a":1,"b":{"x":1,"x":2}})"), "invalid JSON at byte 20: duplicate member \"x\"");
  EXPECT_EQ(read({}, R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})");
}

TEST(Reader, PartsMayBeAsDeepAsDocuments) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(read({}, nested(max_depth)), nested(max_depth));
  EXPECT_EQ(read({}, nested(max_depth + 1)), "invalid JSON at byte 200: nested deeper than 200 levels");
  EXPECT_EQ(read({.parts = "items"}, "{\"items\":[" + nested(max_depth) + "]}"), nested(max_depth) + " {\"items\":[]}");
}

// A list may have any length, but a document in it may not, and neither may the text around the documents.
TEST(Reader, LimitsTheSizeOfADocument) {
  const ReaderOptions list{.parts = "items", .max_document_size = 100};
  std::string long_list = "{\"items\":[{}";
  for (int i = 0; i < 100; ++i) long_list += ",{}";
  EXPECT_EQ(read(list, long_list + "]}").substr(0, 6), "{} {} ");
  EXPECT_EQ(read(list, R"({"items":[{"a":")" + std::string(200, 'x')), "a document is longer than 100 bytes");
  EXPECT_EQ(read(list, R"({"x":")" + std::string(200, 'x')), "a document is longer than 100 bytes");
  EXPECT_EQ(read({.max_document_size = 100}, "[" + std::string(200, ' ')), "a document is longer than 100 bytes");
  EXPECT_EQ(read({.max_document_size = 100}, "[" + std::string(90, ' ') + "]"), "[]");
}

TEST(Reader, KeepsThePathsOfAProjection) {
  constexpr std::string_view pod =
      R"({"kind":"Pod","metadata":{"name":"a","managedFields":[{"f":{}}],"labels":{"x":"y"}},)"
      R"("spec":{"containers":[{"name":"c","image":"i"},7],"nodeName":"n"}})";
  EXPECT_EQ(
      read({.projection = {.drop = {"/metadata/managedFields", "/spec/containers/*/image"}}}, pod),
      R"({"kind":"Pod","metadata":{"name":"a","labels":{"x":"y"}},"spec":{"containers":[{"name":"c"},7],"nodeName":"n"}})");
  EXPECT_EQ(
      read({.projection = {.keep = {"/kind", "/metadata", "/spec/containers/*/name"}, .drop = {"/metadata/labels"}}},
           pod),
      R"({"kind":"Pod","metadata":{"name":"a","managedFields":[{"f":{}}]},"spec":{"containers":[{"name":"c"}]}})");
  EXPECT_EQ(read({.projection = {.keep = {""}}}, "[1]"), "[1]");
  EXPECT_EQ(read({.projection = {.keep = {"kind"}}}, pod), "JSON pointer \"kind\" does not start with \"/\"");
  const Document whole = *Document::parse(pod);
  EXPECT_EQ(project(whole.root(), {.keep = {"/spec/nodeName"}})->root().print(), R"({"spec":{"nodeName":"n"}})");
}

TEST(Reader, AppliesAWildcardOfAProjectionAlsoToNamesWithOwnPaths) {
  constexpr std::string_view text =
      R"({"a":{"x":{"p":1,"q":2},"y":3},"b":{"x":{"p":4,"q":5},"y":6},"l":[{"x":{"p":7},"y":8}]})";
  const auto projected = [&](Projection projection) { return read({.projection = std::move(projection)}, text); };

  EXPECT_EQ(projected({.keep = {"/*"}, .drop = {"/a/x/p"}}),
            R"({"a":{"x":{"q":2},"y":3},"b":{"x":{"p":4,"q":5},"y":6},"l":[{"x":{"p":7},"y":8}]})");
  EXPECT_EQ(projected({.keep = {"/a/y", "/*/x/q"}}), R"({"a":{"x":{"q":2},"y":3},"b":{"x":{"q":5}},"l":[]})");
  EXPECT_EQ(projected({.drop = {"/*/x", "/a/y"}}), R"({"a":{},"b":{"y":6},"l":[{"x":{"p":7},"y":8}]})");
  EXPECT_EQ(projected({.keep = {"/a", "/b/y"}, .drop = {"/*/*/p", "/a/x/q", "/l"}}),
            R"({"a":{"x":{},"y":3},"b":{"y":6}})");
  EXPECT_EQ(projected({.drop = {"/a/x", "/*"}}), "{}");
}

TEST(Reader, KeepsNoEmptyObjectOnThePathOfADroppedMember) {
  EXPECT_EQ(read({.projection = {.keep = {"/b/y"}, .drop = {"/b/x/p"}}}, R"({"b":{"x":{"p":1,"q":2},"y":3}})"),
            R"({"b":{"y":3}})");
}

// A dropped value that repeats byte by byte is skipped as a whole. A similar text must not be mistaken for it.
TEST(Reader, SkipsRepeatedDroppedValuesButNotSimilarOnes) {
  const ReaderOptions list{.parts = "items", .projection = {.drop = {"/d"}}};
  const std::string filling(80, 'x');
  const std::string left_out = R"({"a":")" + filling + R"("})";
  const auto item = [](const std::string& dropped, int n) {
    return "{\"d\":[" + dropped + "],\"n\":" + std::to_string(n) + "}";
  };
  // From its dropped value on, this text is as long as `left_out` and ends alike, but the dropped value itself ends at
  // once.
  const std::string similar = R"({"d":[{}],"k":")" + filling.substr(3) + R"("})";
  ASSERT_EQ(similar.size(), left_out.size() + 6);
  const std::string text = "{\"items\":[" + item(left_out, 1) + "," + item(left_out, 2) + "," + similar + "," +
                           item(left_out + "," + left_out, 3) + "," + item(left_out, 4) + "]}";
  const std::string expected = R"({"n":1} {"n":2} {"k":")" + filling.substr(3) + R"("} {"n":3} {"n":4} {"items":[]})";
  for (const std::size_t piece : {1U, 7U, 50U, 150U, 400U, 10'000U}) EXPECT_EQ(read(list, text, piece), expected);

  const std::string broken = "{\"items\":[" + item(left_out, 1) + "," + item(left_out + "}", 2) + "]}";
  EXPECT_EQ(read(list, broken, 10'000).substr(0, 21), "invalid JSON at byte ");
}

TEST(Reader, DropsRepeatedValuesInPiecesOfAnySize) {
  Random random(6);
  std::vector<Value> repeated;
  while (repeated.size() < 12) {
    Value one = random_value(random);
    if (print(one).size() >= 60) repeated.push_back(std::move(one));
  }
  for (int i = 0; i < 500; ++i) {
    std::string text = "[";
    std::string expected;
    for (std::uint64_t left = 1 + random.below(20); left != 0; --left) {
      const Value kept = random_value(random);
      text += "{\"d\":[" + print(repeated[random.below(repeated.size())]) + "],\"k\":" + print(kept) + "}";
      text += left == 1 ? "]" : ",";
      expected += print(Value{{"k", kept}}) + " ";
    }
    const ReaderOptions list{.parts = "items", .projection = {.drop = {"/d"}}};
    ASSERT_EQ(read(list, "{\"items\":" + text + "}", 1 + random.below(3'000)), expected + "{\"items\":[]}");
  }
}

TEST(Reader, LimitsTheDepthOfDroppedValues) {
  const std::string deep = std::string(max_depth - 5, '[') + std::string(max_depth - 5, ']');
  const ReaderOptions options{.projection = {.drop = {"/a", "/b/b/b/b/b/b", "/c"}}};
  EXPECT_EQ(read(options, R"({"a":)" + deep + R"(,"c":)" + deep + R"(,"n":1})", 10'000), R"({"n":1})");
  EXPECT_EQ(
      read(options, R"({"a":)" + deep + R"(,"b":{"b":{"b":{"b":{"b":{"b":)" + deep + "}}}}}}", 10'000).substr(0, 21),
      "invalid JSON at byte ");
}

// The reader compares the text with the key that followed at this place the last time. A similar key must not be
// mistaken for it.
TEST(Reader, DistinguishesEqualFromSimilarKeys) {
  const struct {
    std::string_view before;
    std::string_view text;
    std::string_view expected;
  } rows[] = {
      {R"({"name":1,"b":2})", R"({"name":3,"b":4})", R"({"name":3,"b":4})"},
      {R"({"name":1})", R"({"names":3})", R"({"names":3})"},
      {R"({"name":1})", R"({"nam":3})", R"({"nam":3})"},
      {R"({"name":1})", R"({"n\u0061me":3})", R"({"name":3})"},
      {R"({"n\u0061me":1})", R"({"name":3})", R"({"name":3})"},
      {R"({"":1,"a":2})", R"({"":3,"a":4})", R"({"":3,"a":4})"},
      {R"({"é":1})", R"({"é":3})", R"({"é":3})"},
      {R"({"a\"b":1})", R"({"a\"b":3})", R"({"a\"b":3})"},
      {R"({"a\"b":1})", R"({"a"b":3})", "invalid JSON at byte 4: syntax error"},
      {R"({"a\\":1})", R"({"a\":3})", "invalid JSON at byte 8: the text ends too early"},
      {R"([{"a":1},{"b":1}])", R"([{"b":1},{"a":1}])", R"([{"b":1},{"a":1}])"},
      {R"({"a":1,"a":2})", R"({"a":3,"a":4})", R"({"a":4})"},
  };
  for (const auto& row : rows) {
    for (std::size_t piece = 1; piece <= row.text.size(); ++piece) {
      Reader reader;
      ASSERT_TRUE(reader.add(row.before) && reader.finish()) << row.before;
      for (std::size_t at = 0; at < row.text.size(); at += piece) (void)reader.add(row.text.substr(at, piece));
      const auto read = reader.finish();
      EXPECT_EQ(read ? read->root().print() : read.error().message, row.expected) << row.before << " " << piece;
    }
  }
}

TEST(Reader, ReadsObjectsWithoutACommonKeyOneAfterTheOther) {
  Reader reader;
  for (int i = 0; i < 5'000; ++i) {
    const std::string key = "key-" + std::to_string(i);
    const std::string text = "{\"" + key + "\":{\"" + key + "\":[{\"" + key + "-below\":1}]}}";
    ASSERT_TRUE(reader.add(text));
    ASSERT_EQ(reader.finish()->root().print(), text);
  }
}

TEST(Reader, ReturnsAMissingRootIfNothingIsKept) {
  Reader reader({.projection = {.keep = {"/a"}}});
  for (const char* text : {"5", R"({"a":1})", R"("b")"}) {
    ASSERT_TRUE(reader.add(text));
    const auto document = reader.finish();
    ASSERT_TRUE(document) << document.error().message;
    EXPECT_EQ(document->root().exists(), *text == '{') << text;
  }
}

TEST(Reader, AcceptsAnotherTextAfterTheEndOfOne) {
  Reader reader;
  ASSERT_TRUE(reader.add("[1"));
  ASSERT_FALSE(reader.add("}"));
  ASSERT_FALSE(reader.finish());
  ASSERT_TRUE(reader.add("[2]"));
  EXPECT_EQ(reader.finish()->root().print(), "[2]");
  ASSERT_TRUE(reader.add("{}"));
  EXPECT_EQ(reader.finish()->root().print(), "{}");
}

}  // namespace
}  // namespace pintle::json
