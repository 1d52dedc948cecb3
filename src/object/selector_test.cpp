// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/selector.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

json::Document parsed(std::string_view text) { return *json::Document::parse(text); }

TEST(LabelSelector, SelectsLikeTheServer) {
  const json::Document labels = parsed(R"({"app":"web","tier":"front","example.com/n":"5","empty":""})");
  const struct {
    const char* selector;
    bool matches;
  } cases[] = {
      {"", true},
      {" ", true},
      {"app=web", true},
      {"app == web", true},
      {"app=db", false},
      {"none=web", false},
      {"app!=db", true},
      {"none!=web", true},
      {"app!=web", false},
      {"app in (db, web)", true},
      {"app in(db)", false},
      {"none in (web)", false},
      {"app notin (db)", true},
      {"app notin (web,db)", false},
      {"none notin (web)", true},
      {"app", true},
      {"none", false},
      {"!none", true},
      {"! app", false},
      {"empty=", true},
      {"empty", true},
      {"app=", false},
      {"empty in (,a)", true},
      {"empty in ()", true},
      {"app in ()", false},
      {"app notin ()", true},
      {"example.com/n>4", true},
      {"example.com/n > 5", false},
      {"example.com/n<6", true},
      {"app>4", false},
      {"none<4", false},
      {"app=web,tier=front", true},
      {"app=web,tier=back", false},
      {"app=web , !none,tier in (front)", true},
      {"in in (in)", false},
      {"!in,notin notin (notin)", true},
  };
  for (const auto& one : cases) {
    const auto selector = LabelSelector::parse(one.selector);
    ASSERT_TRUE(selector) << one.selector << ": " << selector.error().message;
    EXPECT_EQ(selector->matches(labels.root()), one.matches) << one.selector;
  }
}

TEST(LabelSelector, MatchesObjectsWithoutLabels) {
  EXPECT_TRUE(LabelSelector::parse("!a,b!=c,d notin (e)")->matches({}));
  EXPECT_FALSE(LabelSelector::parse("a")->matches({}));
}

TEST(LabelSelector, RefusesInvalidText) {
  const struct {
    const char* selector;
    const char* message;
  } cases[] = {
      {"a in", "label selector: expected \"(\", found the end"},
      {"a in (b", "label selector: expected \",\" or \")\", found the end"},
      {"a,", "label selector: expected a label key, found the end"},
      {",a", "label selector: expected a label key, found \",\""},
      {"a b", "label selector: expected one of =, ==, !=, in, notin, >, <, found \"b\""},
      {"a=b c", "label selector: expected \",\" or the end, found \"c\""},
      {"!a=b", "label selector: expected \",\" or the end, found \"=\""},
      {"a===b", "label selector: expected \",\" or the end, found \"=\""},
      {"a>b", "label value \"b\": must be an integer for \">\" and \"<\""},
      {"=a", "label selector: expected a label key, found \"=\""},
      {"a/b/c=d", "label key \"a/b/c\": must have at most one \"/\""},
      {"a=-b",
       "label value \"-b\": must be empty or consist of letters, digits, \"-\", \"_\" or \".\", and begin and end with "
       "a letter or digit"},
  };
  for (const auto& one : cases) {
    const auto selector = LabelSelector::parse(one.selector);
    ASSERT_FALSE(selector) << one.selector;
    EXPECT_EQ(selector.error().message, one.message);
    EXPECT_EQ(selector.error().code, ErrorCode::invalid);
  }
}

TEST(LabelSelector, PrintsTextThatParsesTheSame) {
  for (const char* text : {"", "a=b", "a!=b", "a in (b,c)", "a notin (b,c)", "a", "!a", "a>1", "a<2",
                           "a=", "a=b,!c,d in (e,f)", "a in (,b)"}) {
    EXPECT_EQ(LabelSelector::parse(text)->to_string(), text);
  }
  EXPECT_EQ(LabelSelector::parse("a == b, c in (z, y, z)")->to_string(), "a=b,c in (y,z)");
}

TEST(LabelSelector, ReadsTheJsonForm) {
  const json::Document document =
      parsed(R"({"matchLabels":{"a":"b"},"matchExpressions":[{"key":"c","operator":"In","values":["d","e"]},
      {"key":"f","operator":"DoesNotExist"},{"key":"g","operator":"Exists"},{"key":"h","operator":"NotIn","values":["i"]}]})");
  EXPECT_EQ(LabelSelector::from_json(document.root())->to_string(), "a=b,c in (d,e),!f,g,h!=i");
  EXPECT_TRUE(LabelSelector::from_json(parsed("{}").root())->empty());
  for (const char* text : {R"({"matchExpressions":[{"key":"a","operator":"Foo"}]})",
                           R"({"matchExpressions":[{"key":"a","operator":"In"}]})",
                           R"({"matchExpressions":[{"key":"a","operator":"Exists","values":["b"]}]})",
                           R"({"matchLabels":{"a b":"c"}})", R"({"matchLabels":{"a":"b c"}})", "[]", "null"}) {
    EXPECT_FALSE(LabelSelector::from_json(parsed(text).root())) << text;
  }
  EXPECT_FALSE(LabelSelector::from_json({}));
}

TEST(FieldSelector, SelectsByDottedPaths) {
  const json::Document object = parsed(
      R"({"metadata":{"name":"m3","namespace":"n"},"status":{"phase":"Running","ready":true,"count":2},"x":"a,b=c\\d"})");
  const struct {
    const char* selector;
    bool matches;
  } cases[] = {
      {"", true},
      {"metadata.name=m3", true},
      {"metadata.name==m3", true},
      {"metadata.name!=m3", false},
      {"metadata.name=m3,metadata.namespace=n", true},
      {"metadata.name=m3,,metadata.namespace=o", false},
      {"status.phase!=Running", false},
      {"spec.nodeName=", true},
      {"spec.nodeName!=a", true},
      {"status.ready=true,status.count=2", true},
      {"x=a\\,b\\=c\\\\d", true},
  };
  for (const auto& one : cases) {
    const auto selector = FieldSelector::parse(one.selector);
    ASSERT_TRUE(selector) << one.selector << ": " << selector.error().message;
    EXPECT_EQ(selector->matches(object.root()), one.matches) << one.selector;
  }
}

TEST(FieldSelector, RefusesInvalidText) {
  for (const char* text : {"a", "=b", "a>b", "a=b=c", "a=b\\x", "a=b\\", "!a"})
    EXPECT_FALSE(FieldSelector::parse(text)) << text;
  EXPECT_EQ(FieldSelector::parse("phase").error().message,
            "field selector: \"phase\" is not of the form path=value or path!=value");
}

TEST(FieldSelector, PrintsTextThatParsesTheSame) {
  for (const char* text : {"", "a=b", "a!=b", "a=", "a=x\\,y\\=z\\\\,b=c"})
    EXPECT_EQ(FieldSelector::parse(text)->to_string(), text);
}

}  // namespace
}  // namespace pintle
