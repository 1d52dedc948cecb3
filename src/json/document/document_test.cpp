// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/document.hpp>

#include <gtest/gtest.h>

#include <pintle/base/result.hpp>

namespace pintle::json {
namespace {

Document parsed(std::string_view text) { return *Document::parse(text); }

TEST(View, ReadsByPointerAndName) {
  const Document document = parsed(R"({"metadata":{"labels":{"a/b":"x","~t":"y"}},"list":[{"n":1},2]})");
  const View root = document.root();

  EXPECT_TRUE(root["/metadata/labels/a~1b"] == "x");
  EXPECT_TRUE(root["/metadata/labels/~0t"] == "y");
  EXPECT_TRUE(root["/list/0/n"] == 1);
  EXPECT_TRUE(root["/list/1"] == 2U);
  EXPECT_TRUE(root[""].is_object());
  EXPECT_TRUE(root.member("metadata").member("labels").member("a/b") == "x");
  EXPECT_TRUE(root.member("list").element(1) == 2);
}

TEST(View, OfAMissingPlaceIsMissing) {
  const Document document = parsed(R"({"a":null,"l":[1]})");
  const View root = document.root();

  for (const char* pointer : {"/none", "/a/b", "/l/1", "/l/-", "/l/01", "/l/x", "no-slash", "/"}) {
    const View missing = root[pointer];
    EXPECT_FALSE(missing.exists()) << pointer;
    EXPECT_EQ(missing.type(), Type::missing);
    EXPECT_FALSE(missing == root["/none"]);
    EXPECT_FALSE(missing == "");
    EXPECT_FALSE(missing == 0);
    EXPECT_FALSE(missing == false);
    EXPECT_EQ(missing.print(), "null");
  }
  EXPECT_TRUE(root["/a"].is_null());
  EXPECT_TRUE(root["/a"] == root["/a"]);
  EXPECT_FALSE(View().exists());
  EXPECT_FALSE(Document().root().exists());
}

TEST(View, GivesAValueOnlyAsItsType) {
  const Document document = parsed(R"([1,18446744073709551615,2.0,"t",true,-3])");
  const View root = document.root();

  EXPECT_EQ(root.element(0).as_integer(), 1);
  EXPECT_EQ(root.element(0).as_double(), 1.0);
  EXPECT_EQ(root.element(1).as_integer(), std::nullopt);
  EXPECT_EQ(root.element(1).as_unsigned(), 18446744073709551615U);
  EXPECT_EQ(root.element(2).as_integer(), std::nullopt);
  EXPECT_EQ(root.element(2).type(), Type::number);
  EXPECT_EQ(root.element(3).as_string(), "t");
  EXPECT_EQ(root.element(3).as_bool(), std::nullopt);
  EXPECT_EQ(root.element(4).as_bool(), true);
  EXPECT_EQ(root.element(5).as_unsigned(), std::nullopt);
  EXPECT_EQ(root.element(0).text(), "");
}

TEST(View, IteratesOverMembersAndElements) {
  const Document document = parsed(R"({"b":1,"a":[10,20]})");
  std::string seen;
  for (const auto [name, value] : document.root().members()) seen += std::string(name) + "=" + value.print() + ";";
  for (const View element : document.root().member("a").elements()) seen += element.print() + ";";
  for (const View element : document.root().elements()) seen += element.print();
  EXPECT_EQ(seen, "b=1;a=[10,20];10;20;");
}

TEST(View, ComparesByValue) {
  const struct {
    const char* a;
    const char* b;
    bool equal;
  } cases[] = {
      {R"({"a":1,"b":[2]})", R"({"b":[2],"a":1})", true},
      {"1", "1.0", true},
      {"-1", "-1.0", true},
      {"18446744073709551615", "18446744073709551615", true},
      {"9007199254740993", "9007199254740992.0", false},
      {"18446744073709551615", "1.8446744073709552e19", false},
      {"-1", "18446744073709551615", false},
      {"1", "true", false},
      {"1", "\"1\"", false},
      {"[1,2]", "[2,1]", false},
      {"[1]", "[1,2]", false},
      {R"({"a":1})", R"({"a":1,"b":2})", false},
      {R"({"a":1,"b":2})", R"({"a":1,"c":2})", false},
      {"null", "null", true},
      {"{}", "[]", false},
  };
  for (const auto& one : cases) {
    const Document a = parsed(one.a);
    const Document b = parsed(one.b);
    EXPECT_EQ(a.root() == b.root(), one.equal) << one.a << " " << one.b;
    EXPECT_EQ(b.root() == a.root(), one.equal) << one.a << " " << one.b;
  }
}

TEST(Document, IsSharedByItsCopies) {
  const Document document = parsed("[1]");
  const Document copy = document;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_TRUE(copy.is_same_document(document));
  EXPECT_FALSE(parsed("[1]").is_same_document(document));
  EXPECT_FALSE(Document::parse("["));
}

TEST(Document, KeepsEveryNumberExactly) {
  for (const char* text :
       {"0", "-1", "134217727", "134217728", "-134217728", "-134217729", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615", "0.1", "-2.5", "1e-07", "5e-324", "-0.0", "18446744073709551616000000001",
        "0.12345678901234567890123", "1e-400", "1e-99999999999999999999", "0.1e-9223372036854775808"}) {
    EXPECT_EQ(parsed(text).root().print(), text);
  }
  EXPECT_EQ(parsed("0.12345678901234567890123").root().as_double(), 0.12345678901234567890123);
  EXPECT_EQ(parsed("0.12345678901234567890123").root().type(), Type::number);
  EXPECT_TRUE(parsed("0.123456789012345678901230").root() == parsed("12345678901234567890123e-23").root());
  for (const char* text : {"1e400", "1e9223372036854775807", "10e9223372036854775807", "1e99999999999999999999"})
    EXPECT_FALSE(Document::parse(text)) << text;
}

TEST(Document, KeepsTextsOfEveryLength) {
  for (const std::size_t length : {0U, 1U, 3U, 4U, 127U, 128U, 16'383U, 16'384U, 3'000'000U}) {
    const std::string text(length, 'x');
    const Document document = parsed(R"({"":")" + text + R"(","a":["z",")" + text + "\"]}");
    EXPECT_EQ(document.root().member("").text(), text);
    EXPECT_EQ(document.root()["/a/1"].text(), text);
    EXPECT_LT(document.bytes(), length + 80) << "equal texts are stored once";
  }
}

TEST(Document, HashesEqualPlacesTheSame) {
  EXPECT_EQ(parsed(R"({"a":1,"b":[2]})").root().hash(), parsed(R"({"b":[2.0],"a":1.0})").root().hash());
  EXPECT_NE(parsed("[1,2]").root().hash(), parsed("[2,1]").root().hash());
  EXPECT_NE(parsed("{}").root().hash(), parsed("[]").root().hash());
  EXPECT_EQ(parsed("0.0").root().hash(), parsed("-0.0").root().hash());
}

}  // namespace
}  // namespace pintle::json
