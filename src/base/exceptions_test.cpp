// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/exceptions.hpp>

#include <exception>
#include <stdexcept>

#include <gtest/gtest.h>

namespace pintle {
namespace {

template <class T>
std::string description_of(const T& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return describe_exception();
  }
}

class WithoutText : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return nullptr; }
};

TEST(Exceptions, ADescriptionHasTypeAndText) {
  EXPECT_EQ(description_of(std::runtime_error("oops")), "std::runtime_error: oops");
  EXPECT_EQ(description_of(7), "an exception that is not a std::exception");
}

TEST(Exceptions, AnExceptionWithoutATextIsDescribedByItsType) {
  const std::string description = description_of(WithoutText());
  EXPECT_NE(description.find("WithoutText"), std::string::npos) << description;
  EXPECT_EQ(description.find(": "), std::string::npos) << description;
}

}  // namespace
}  // namespace pintle
