// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>
#include <pintle/base/random.hpp>

#include "cel/test_support.hpp"
#include "cel/value/text.hpp"

namespace pintle::cel {
namespace {

using TextTable = std::vector<std::pair<const char*, const char*>>;

void expect_texts(const TextTable& table) {
  const auto environment = make_environment();
  for (const auto& [text, expected] : table) EXPECT_EQ(run(environment, text), expected) << text;
}

TEST(StringExtension, CountsCodePoints) {
  expect_texts({{"'h\u00e9llo'.charAt(1)", "\"\u00e9\""},
                {"'ab'.charAt(2)", "\"\""},
                {"'ab'.charAt(3)", "error: index out of range: 3"},
                {"'ab'.charAt(-1)", "error: index out of range: -1"},
                {"'\u00e9\u00e9b'.indexOf('b')", "2"},
                {"'abab'.indexOf('b', 2)", "3"},
                {"'abab'.indexOf('b', 4)", "-1"},
                {"'abab'.indexOf('')", "0"},
                {"'abab'.indexOf('', 3)", "3"},
                {"'abab'.indexOf('a', -1)", "error: index out of range: -1"},
                {"'\u00e9b\u00e9b'.lastIndexOf('b')", "3"},
                {"'abab'.lastIndexOf('b', 2)", "1"},
                {"'abab'.lastIndexOf('')", "4"},
                {"'abab'.lastIndexOf('c')", "-1"},
                {"'abab'.lastIndexOf('a', 9)", "-1"},
                {"'h\u00e9llo'.substring(1, 3)", "\"\u00e9l\""},
                {"'abc'.substring(3)", "\"\""},
                {"'abc'.substring(2, 1)", "error: invalid substring range. start: 2, end: 1"},
                {"'abc'.substring(1, 4)", "error: index out of range: 4"}});
}

TEST(StringExtension, SplitsAndJoins) {
  expect_texts({{"'a,b,,c'.split(',')", R"(["a","b","","c"])"},
                {"'a,b,c'.split(',', 2)", R"(["a","b,c"])"},
                {"'a,b'.split(',', 0)", "[]"},
                {"'a,b'.split(',', -1)", R"(["a","b"])"},
                {"''.split(',')", R"([""])"},
                {"''.split('')", "[]"},
                {"'a\u00e9b'.split('')", "[\"a\",\"\u00e9\",\"b\"]"},
                {"'abc'.split('', 2)", R"(["a","bc"])"},
                {"['a', 'b'].join()", "\"ab\""},
                {"['a', 'b'].join('-')", "\"a-b\""},
                {"[].join('-')", "\"\""},
                {"[dyn('a'), dyn(1)].join()", "error: join: invalid input: int"}});
}

TEST(StringExtension, ReplacesAndTrims) {
  expect_texts({{"'banana'.replace('a', 'o')", "\"bonono\""},
                {"'banana'.replace('a', 'o', 2)", "\"bonona\""},
                {"'banana'.replace('a', 'o', 0)", "\"banana\""},
                {"'a\u00e9'.replace('', '-')", "\"-a-\u00e9-\""},
                {"'abc'.replace('', '-', 2)", "\"-a-bc\""},
                {"'aaa'.replace('aa', 'b')", "\"ba\""},
                {"' \\t\u00a0a b\u3000\\n'.trim()", "\"a b\""},
                {"'   '.trim()", "\"\""},
                {"'aB\u00c9'.lowerAscii()", "\"ab\u00c9\""},
                {"'aB\u00e9'.upperAscii()", "\"AB\u00e9\""},
                {R"(strings.quote('a"b\\c\n'))", R"("\"a\\\"b\\\\c\\n\"")"}});
}

TEST(StringExtension, FormatsValues) {
  expect_texts({{"'%s|%%|%s'.format(['a', [1, 2]])", "\"a|%|[1, 2]\""},
                {"'%d %d'.format([-5, 7u])", "\"-5 7\""},
                {"'%f %.1f %.0f'.format([1234567.5, -1234.56, 999.6])", "\"1,234,567.500000 -1,234.6 1,000\""},
                {"'%f %f'.format([1.0 / 0.0, 'NaN'])", "\"\u221e NaN\""},
                {"'%.2e'.format([0.00012])", "\"1.20\u00d710\u207b\u2070\u2074\""},
                {"'%b %b %b'.format([-5, true, 6u])", "\"-101 1 110\""},
                {"'%x %X %x %X'.format([-255, 255, 'hi', b'\\xff'])", "\"-ff FF 6869 FF\""},
                {"'%o'.format([64])", "\"100\""},
                {"'%s'.format([{'b': 1.5, 'a': duration('1s')}])", R"("{\"a\":duration(\"1s\"), \"b\":1.500000}")"},
                {"'%s'.format([[timestamp('2024-01-01T00:00:00Z'), null, 'q\"']])",
                 R"("[timestamp(\"2024-01-01T00:00:00Z\"), null, \"q\\\"\"]")"},
                {"'%s'.format([type('a')])", "\"string\""},
                {"'%s %s'.format(dyn([1]))", "error: index 1 out of range"},
                {"'%'.format(dyn([1]))", "error: unexpected end of string"},
                {"'%.9999f'.format(dyn([1.0]))",
                 "error: could not parse formatting clause: error while parsing precision: error while converting "
                 "precision to integer"},
                {"'%d'.format(dyn(['a']))",
                 "error: error during formatting: decimal clause can only be used on integers, was given string"}});
}

TEST(StringExtension, ChecksFormatsWhenItCompiles) {
  const auto environment = make_environment({.variables = {{"s", Type::string()}}});
  EXPECT_EQ(issues_of(environment, "'%f'.format([1])"),
            "error during formatting: fixed-point clause can only be used on doubles, was given int");
  EXPECT_EQ(issues_of(environment, "'%s'.format([s, s])"),
            "too many arguments supplied to string.format (expected 1, got 2)");
  EXPECT_EQ(issues_of(environment, "'%s'.format([[1, optional.of(s)]])"),
            "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, "
            "lists, types, durations, and timestamps, was given optional_type");
  EXPECT_EQ(issues_of(environment, "'%s %d'.format([s, dyn(s)])"), "");
}

TEST(StringExtension, LimitsTheSizeOfItsResults) {
  const auto environment = make_environment({.variables = {{"s", Type::string()}}});
  const std::string text(1U << 20U, 'a');
  const auto evaluate = [&](const char* expression) {
    return describe(compile(environment, expression)
                        ->evaluate({{"s", Value::borrowed_string(text)}}, {.max_cost = UINT64_MAX / 1000})
                        .value);
  };
  EXPECT_EQ(evaluate("s.replace('', s)"), "error: the result of replace() is too long");
  EXPECT_EQ(evaluate("lists.range(100).map(i, s).join()"), "error: the result of join() is too long");
  EXPECT_EQ(evaluate("'%s'.format([lists.range(100).map(i, s)])"), "error: the result of format() is too long");
}

// A search that compares the part at each place of these texts takes half a minute.
class LongSearch : public testing::Test {
 protected:
  std::string search(const std::string& expression) {
    const Environment environment = make_environment({.variables = {{"a", Type::string()}, {"b", Type::string()}}});
    const std::string part = std::string(std::size_t{1} << 20U, 'a') + "b";
    const Activation activation = {{"a", Value::string(std::string(std::size_t{2} << 20U, 'a'))},
                                   {"b", Value::string(part)}};
    const auto executor = make_real_executor(1);
    const Instant begin = executor->now();
    const auto evaluation = compile(environment, expression)->evaluate(activation, {.max_cost = UINT64_MAX / 1000});
    EXPECT_LT(executor->now() - begin, std::chrono::seconds(10)) << expression;
    return describe(evaluation.value);
  }
};

TEST_F(LongSearch, IsLinear) {
  EXPECT_EQ(search("a.contains(b)"), "false");
  EXPECT_EQ(search("a.indexOf(b)"), "-1");
  EXPECT_EQ(search("a.split(b).size()"), "1");
  EXPECT_EQ(search("a.replace(b, '') == a"), "true");
}

TEST_F(LongSearch, IsLinearFromTheEnd) { EXPECT_EQ(search("a.lastIndexOf(b)"), "-1"); }

TEST(StringSearch, FindsThePlacesOfTheStandardLibrary) {
  const std::uint64_t seed = 1;
  Random random(seed);
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (std::uint64_t size = random.below(3000); text.size() < size;) text += random.below(8) == 0 ? 'b' : 'a';
    const std::size_t place = random.below(text.size() + 1);
    const std::string part = text.substr(place, random.below(60)) + (random.below(4) == 0 ? "b" : "");
    const std::size_t start = random.below(text.size() + 2);
    ASSERT_EQ(find_part(text, part, start), text.find(part, start)) << text << " " << part << " " << start;
    ASSERT_EQ(find_last_part(text, part, start), text.rfind(part, start)) << text << " " << part << " " << start;
    ASSERT_EQ(find_last_part(text, part), text.rfind(part)) << text << " " << part;
  }
}

}  // namespace
}  // namespace pintle::cel
