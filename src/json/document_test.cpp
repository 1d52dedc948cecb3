#include <pintle/json/document.hpp>

#include <gtest/gtest.h>

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

TEST(View, OfNothingIsMissingAndEqualsNothing) {
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

TEST(View, GivesAValueOnlyAsWhatItIs) {
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

TEST(View, Iterates) {
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
  EXPECT_TRUE(copy.same_as(document));
  EXPECT_FALSE(parsed("[1]").same_as(document));
  EXPECT_FALSE(Document::parse("["));
}

}  // namespace
}  // namespace pintle::json
