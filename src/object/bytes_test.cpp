// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/bytes.hpp>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/base/result.hpp>

namespace pintle {
namespace {

// The examples of RFC 4648, section 10.
TEST(Bytes, EncodesTheExamplesOfTheRfc) {
  const struct {
    const char* bytes;
    const char* text;
  } cases[] = {{"", ""},
               {"f", "Zg=="},
               {"fo", "Zm8="},
               {"foo", "Zm9v"},
               {"foob", "Zm9vYg=="},
               {"fooba", "Zm9vYmE="},
               {"foobar", "Zm9vYmFy"}};
  for (const auto& one : cases) {
    EXPECT_EQ(Bytes(one.bytes).to_base64(), one.text);
    EXPECT_EQ(Bytes::from_base64(one.text)->data, one.bytes);
  }
}

TEST(Bytes, RoundTripsAnyData) {
  Random random(1);
  for (std::size_t length = 0; length < 200; ++length) {
    std::string data;
    for (std::size_t i = 0; i < length; ++i) data += static_cast<char>(random.below(256));
    EXPECT_EQ(Bytes::from_base64(Bytes(data).to_base64())->data, data);
  }
}

TEST(Bytes, RefusesWhatIsNotBase64) {
  for (const char* text : {"Z", "Zg", "Zg=", "Z===", "=", "====", "Zg==Zg==", "Z g=", "Zm9-", "Zm9_", "Zm=v"}) {
    EXPECT_FALSE(Bytes::from_base64(text)) << text;
  }
  EXPECT_EQ(Bytes::from_base64("Zm9v\nYmFy\r\n")->data, "foobar");
}

}  // namespace
}  // namespace pintle
