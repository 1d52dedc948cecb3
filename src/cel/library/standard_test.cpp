// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

void expect_results(const std::vector<std::pair<std::string, std::string>>& table) {
  for (const auto& [text, expected] : table) EXPECT_EQ(run(text), expected) << text;
}

TEST(StandardLibrary, ConvertsValues) {
  expect_results({
      {"int('-42')", "-42"},
      {"int('+7')", "7"},
      {"int('4x')", "type conversion error from 'string' to 'int'"},
      {"int('')", "type conversion error from 'string' to 'int'"},
      {"int(2.9)", "2"},
      {"int(-2.9)", "-2"},
      {"int(1e19)", "integer overflow"},
      {"int(0.0 / 0.0)", "error: integer overflow"},
      {"int(18446744073709551615u)", "integer overflow"},
      {"int(timestamp('2024-01-01T00:00:00Z'))", "1704067200"},
      {"uint(3)", "3"},
      {"uint(-1)", "unsigned integer overflow"},
      {"uint('-1')", "type conversion error from 'string' to 'uint'"},
      {"uint(-0.5)", "unsigned integer overflow"},
      {"double('1.5') == 1.5 && double(2) == 2.0 && double(3u) == 3.0", "true"},
      {"double('x')", "type conversion error from 'string' to 'double'"},
      {"string(42) + string(42u) + string(true)", "\"4242true\""},
      {"string(2.5) + ' ' + string(1.0) + ' ' + string(1000000.0) + ' ' + string(0.00001)", "\"2.5 1 1e+06 1e-05\""},
      {"string(b'ab')", "\"ab\""},
      {"string(b'\\xff')", "invalid UTF-8 in bytes, cannot convert to string"},
      {"string(duration('1h30m0.5s'))", "\"5400.5s\""},
      {"string(duration('-1ms'))", "\"-0.001s\""},
      {"string(timestamp('2024-02-29T01:02:03.0400Z'))", "\"2024-02-29T01:02:03.04Z\""},
      {"string(timestamp('2024-01-01T01:00:00+01:00'))", "\"2024-01-01T01:00:00+01:00\""},
      {"bytes('\u00e4') == b'\\xc3\\xa4'", "true"},
      {"bool('true') && bool('1') && !bool('False')", "true"},
      {"bool('yes')", "type conversion error from 'string' to 'bool'"},
      {"duration('1x' + '')", "error: type conversion error from 'string' to 'google.protobuf.Duration'"},
      {"timestamp('x' + '')", "error: type conversion error from 'string' to 'google.protobuf.Timestamp'"},
      {"timestamp(0) == timestamp('1970-01-01T00:00:00Z')", "true"},
      {"timestamp(253402300800)",
       "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp(253402300800)\n | ..........^"},
      {"int(dyn([1]))", "no such overload"},
  });
}

TEST(StandardLibrary, ReadsStrings) {
  expect_results({
      {"'abc'.contains('b') && 'abc'.startsWith('a') && 'abc'.endsWith('bc')", "true"},
      {"'abc'.contains('') && !'abc'.startsWith('b')", "true"},
      {"size('a\u00e4\U0001F600') == 3 && 'ab'.size() == 2 && b'\u00e4'.size() == 2", "true"},
      {"size([1, 2]) + size({'a': 1})", "3"},
      {"'abc'.matches('^a.c$') && matches('xabc', 'b') && !'abc'.matches('^b')", "true"},
      {"'abc'.matches('[' + '')", "error: error parsing regexp: missing closing ]: `[`"},
      {"'abc'.matches('a' + 'b')", "true"},
  });
}

TEST(StandardLibrary, ReadsTimes) {
  const std::string time = "timestamp('2024-02-29T13:04:05.678Z')";
  expect_results({
      {time + ".getFullYear()", "2024"},
      {time + ".getMonth()", "1"},
      {time + ".getDate()", "29"},
      {time + ".getDayOfMonth()", "28"},
      {time + ".getDayOfWeek()", "4"},
      {time + ".getDayOfYear()", "59"},
      {time + ".getHours()", "13"},
      {time + ".getMinutes()", "4"},
      {time + ".getSeconds()", "5"},
      {time + ".getMilliseconds()", "678"},
      {time + ".getHours('+02:30')", "15"},
      {time + ".getMinutes('-02:30')", "34"},
      {time + ".getHours('America/New_York')", "8"},
      {time + ".getHours('Europe/Nowhere')", "error: unknown time zone Europe/Nowhere"},
      {time + ".getHours('1:99')", "error: timezone offset minutes out of range [0, 59]: 1:99"},
      {"timestamp('2024-01-01T01:00:00+02:00').getHours()", "23"},
      {"duration('90m').getHours() == 1 && duration('90m').getMinutes() == 90", "true"},
      {"duration('1.5s').getSeconds() == 1 && duration('1.5s').getMilliseconds() == 1500", "true"},
  });
}

TEST(StandardLibrary, ComputesTimes) {
  expect_results({
      {"timestamp(0) + duration('1h') == timestamp(3600)", "true"},
      {"duration('1h') + timestamp(0) - timestamp(60) == duration('59m')", "true"},
      {"timestamp(0) - duration('1.5s') == timestamp('1969-12-31T23:59:58.5Z')", "true"},
      {"duration('1h') - duration('1m') == duration('59m')", "true"},
      {"duration('1h') < duration('61m') && timestamp(0) < timestamp(1)", "true"},
      {"timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: timestamp overflow"},
      {"timestamp('0001-01-01T00:00:00Z') - duration('1s')", "error: timestamp overflow"},
      {"timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')", "error: duration overflow"},
      {"duration('2562047h') + duration('1h')", "error: duration overflow"},
      {"timestamp('2024-01-01T02:00:00+02:00') == timestamp('2024-01-01T00:00:00Z')", "true"},
  });
}

TEST(StandardLibrary, ParsesDurationsAndTimestamps) {
  const std::vector<std::pair<std::string, bool>> table = {
      {"duration('1h30m')", true},
      {"duration('-1.5h')", true},
      {"duration('+1us')", true},
      {"duration('0')", true},
      {"duration('.5s')", true},
      {"duration('1\u00b5s')", true},
      {"duration('1')", false},
      {"duration('')", false},
      {"duration('-')", false},
      {"duration('s')", false},
      {"duration('1d')", false},
      {"duration('.s')", false},
      {"duration('9999999999h')", false},
      {"duration('1 s')", false},
      {"timestamp('2024-02-29T00:00:00Z')", true},
      {"timestamp('2023-02-29T00:00:00Z')", false},
      {"timestamp('2024-02-29T24:00:00Z')", false},
      {"timestamp('2024-02-29T00:00:00')", false},
      {"timestamp('2024-02-29 00:00:00Z')", false},
      {"timestamp('0000-01-01T00:00:00Z')", false},
      {"timestamp('2024-02-29T00:00:00.Z')", false},
      {"timestamp('2024-02-29T00:00:00.123456789123Z')", true},
  };

  for (const auto& [text, is_valid] : table) {
    EXPECT_EQ(compile(make_environment(), text).has_value(), is_valid) << text;
  }
}

}  // namespace
}  // namespace pintle::cel
