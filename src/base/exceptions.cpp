// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/exceptions.hpp>

#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

#include <cxxabi.h>

namespace pintle {
namespace {

std::string type_name(const std::exception& exception) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(typeid(exception).name(), nullptr, nullptr, &status), std::free);
  return name != nullptr ? name.get() : typeid(exception).name();
}

}  // namespace

std::string describe_exception() {
  try {
    throw;
  } catch (const std::exception& exception) {
    const char* text = exception.what();  // an override of what() may return null
    return text == nullptr ? type_name(exception) : type_name(exception) + ": " + text;
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

}  // namespace pintle
