// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/quantity.hpp>

#include <limits>
#include <map>

#include <gtest/gtest.h>

#include <pintle/base/result.hpp>
#include <pintle/object/quantity_map.hpp>

namespace pintle {
namespace {

using Format = Quantity::Format;

std::string canonical(std::string_view text) {
  const auto read = Quantity::parse(text);
  return read ? read->to_string() : read.error().message;
}

TEST(Quantity, PrintsTheCanonicalForm) {
  const struct {
    const char* text;
    const char* canonical;
  } cases[] = {
      {"0", "0"},
      {"00", "0"},
      {"0Ki", "0"},
      {"-0", "0"},
      {"0e99999", "0"},
      {"1", "1"},
      {"+1", "1"},
      {"-1", "-1"},
      {"1.", "1"},
      {".5", "500m"},
      {"1.5", "1500m"},
      {"1.5Gi", "1536Mi"},
      {"1024Mi", "1Gi"},
      {"307200Ki", "300Mi"},
      {"1025024Mi", "1001Gi"},
      {"1025Ki", "1025Ki"},
      {"1000M", "1G"},
      {"0.001T", "1G"},
      {"1000000000", "1G"},
      {"1234567M", "1234567M"},
      {"100.035k", "100035"},
      {"1000u", "1m"},
      {"1.08", "1080m"},
      {"1080000000n", "1080m"},
      {"12E", "12E"},
      {"1000E", "1e21"},
      {"5000E", "5e21"},
      {"1000000E", "1e24"},
      {"1E", "1E"},
      {"1E3", "1e3"},
      {"1e9", "1e9"},
      {".001e12", "1e9"},
      {"0.001e0", "1e-3"},
      {"1000e-12", "1e-9"},
      {"1.3E+6", "1300e3"},
      {"1.2e3", "1200"},
      {"1.00", "1"},
      {"1Ki", "1Ki"},
      {".5Ki", "512"},
      {".001Ki", "1024m"},
      {".000000001Ki", "1024n"},
      {"100.035Ki", "102435840m"},
      {"0.025Ti", "27487790694400m"},
      {"1024", "1024"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(canonical(one.text), one.canonical) << one.text;
    EXPECT_EQ(canonical(one.canonical), one.canonical);
    if (one.text[0] != '+' && one.text[0] != '-' && std::string_view(one.canonical) != "0") {
      EXPECT_EQ(canonical("-" + std::string(one.text)), "-" + std::string(one.canonical));
    }
  }
}

TEST(Quantity, RoundsAwayFromZeroBelowABillionth) {
  const struct {
    const char* text;
    const char* canonical;
  } cases[] = {
      {"3.001n", "4n"},
      {"1.1E-9", "2e-9"},
      {"0.0000000001", "1n"},
      {"0.00000000050", "1n"},
      {"0.9n", "1n"},
      {"0.00000012345", "124n"},
      {"1e-400", "1e-9"},
      {".000000000001Ki", "2n"},
      {"0.0000000010000000000000000000000000000000000000000000000000000000000001", "2n"},
      {"1.000000000000000000000000000000000000000000000000000000000000000000000", "1"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(canonical(one.text), one.canonical) << one.text;
    EXPECT_EQ(canonical("-" + std::string(one.text)), "-" + std::string(one.canonical)) << one.text;
  }
}

TEST(Quantity, StopsAtTheLargestInt64InPowersOf1024) {
  for (const char* text : {"8Ei", "9Ei", "9223372036854775807Ki", "99999999999999999999999999999999999999Ei"}) {
    EXPECT_EQ(Quantity::parse(text)->as_integer(), std::numeric_limits<std::int64_t>::max()) << text;
    EXPECT_EQ(canonical(text), "9223372036854775807");
  }
  EXPECT_EQ(canonical("-9Ei"), "-9223372036854775807");
  EXPECT_EQ(canonical("7Ei"), "7Ei");
}

TEST(Quantity, RefusesInvalidText) {
  for (const char* text :
       {"",   " 1", "1 ", "aoeu", "1.1.M", "1+1.0M", "0.1mi", "0.1am", ".5i",  "1i",   "-3.01i", "-3.01e-",
        "1e", ".",  "-",  "+-1",  "1e1.5", "1kk",    "1K",    "1e3k",  "0x10", "1e30", "NaN"}) {
    const auto read = Quantity::parse(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::invalid);
    EXPECT_EQ(read.error().message, "\"" + std::string(text) + "\" is not a quantity such as 2, 100m, 1.5Gi or 2e3");
  }
}

TEST(Quantity, KeepsItsFormat) {
  EXPECT_EQ(Quantity::parse("1Ki")->format(), Format::binary_si);
  EXPECT_EQ(Quantity::parse("0.0001Ki")->format(), Format::decimal_si);
  EXPECT_EQ(Quantity::parse("1e3")->format(), Format::decimal_exponent);
  EXPECT_EQ(Quantity(1024, Format::binary_si).to_string(), "1Ki");
  EXPECT_EQ(Quantity(1023, Format::binary_si).to_string(), "1023");
  EXPECT_EQ(Quantity(1024).to_string(), "1024");
  EXPECT_EQ(Quantity::from_milli(1500).to_string(), "1500m");
  EXPECT_EQ(Quantity(std::numeric_limits<std::int64_t>::min(), Format::binary_si).to_string(), "-8Ei");
}

TEST(Quantity, ComparesByAmount) {
  EXPECT_EQ(*Quantity::parse("1Ki"), *Quantity::parse("1024"));
  EXPECT_EQ(*Quantity::parse("0.1"), *Quantity::parse("100m"));
  EXPECT_LT(*Quantity::parse("50m"), *Quantity::parse("100m"));
  EXPECT_GT(*Quantity::parse("10000T"), *Quantity::parse("100Gi"));
  EXPECT_LT(*Quantity::parse("-1"), Quantity());
}

TEST(Quantity, AddsExactlyAndKeepsTheFormatOfTheFirst) {
  EXPECT_EQ((*Quantity::parse("0.1") + *Quantity::parse("0.2")).to_string(), "300m");
  EXPECT_EQ((*Quantity::parse("1Gi") + *Quantity::parse("512Mi")).to_string(), "1536Mi");
  EXPECT_EQ((*Quantity::parse("1Gi") - *Quantity::parse("1k")).to_string(), "1073740824");
  EXPECT_EQ((Quantity() + *Quantity::parse("1Gi")).to_string(), "1Gi");
  EXPECT_EQ((*Quantity::parse("1Gi") + Quantity()).to_string(), "1Gi");
  EXPECT_EQ((-*Quantity::parse("9010m")).to_string(), "-9010m");
  EXPECT_EQ((Quantity() - *Quantity::parse("1Gi")).to_string(), "-1Gi");
  EXPECT_EQ((*Quantity::parse("250m") * 3).to_string(), "750m");
  EXPECT_EQ((*Quantity::parse("1m") - *Quantity::parse("2m")).to_string(), "-1m");
}

TEST(Quantity, StopsAtTheEndOfItsRange) {
  const Quantity most = *Quantity::parse("1e29") * std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(most + most, most);
  EXPECT_EQ(-most - most, -most);
  EXPECT_EQ(most * -5, -most);
  EXPECT_EQ(most.value(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ((-most).milli_value(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(most.as_integer(), std::nullopt);
  EXPECT_EQ(most.to_string(), "170141183460469231731687303715884105727e-9");
}

TEST(Quantity, RoundsToWholeNumbersAwayFromZero) {
  EXPECT_EQ(Quantity::parse("9.01")->value(), 10);
  EXPECT_EQ(Quantity::parse("-9.01")->value(), -10);
  EXPECT_EQ(Quantity::parse("1n")->milli_value(), 1);
  EXPECT_EQ(Quantity::parse("100m")->milli_value(), 100);
  EXPECT_EQ(Quantity::parse("2k")->as_integer(), 2000);
  EXPECT_EQ(Quantity::parse("100m")->as_integer(), std::nullopt);
  EXPECT_EQ(Quantity::parse("2500m")->as_double(), 2.5);
}

TEST(Quantity, OfALiteralIsReadByTheCompiler) {
  constexpr Quantity cpu = "100m";
  static_assert(cpu == Quantity::from_milli(100) && !cpu.is_zero() && !cpu.is_negative());
  const std::map<std::string, Quantity> requests{{"cpu", Quantity("2")}, {"memory", Quantity("64Mi")}};
  EXPECT_EQ(requests.at("memory").to_string(), "64Mi");
}

// The literals are checked by the compiler, as outside of a map.
TEST(QuantityMapTest, TakesLiterals) {
  const QuantityMap limits = {{"cpu", "500m"}, {"memory", "1Gi"}, {"cpu", "1"}};
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits.at("cpu"), Quantity("1"));
  EXPECT_EQ(limits.at("memory"), Quantity("1Gi"));
}

}  // namespace
}  // namespace pintle
