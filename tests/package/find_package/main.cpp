// Links against the package and prints one value and one error.
#include <iostream>

#include <pintle/base/result.hpp>

pintle::Result<int> half(int number) {
  if (number % 2 != 0) return pintle::fail(pintle::ErrorCode::invalid, "odd");
  return number / 2;
}

int main() {
  const auto odd = half(3);
  std::cout << half(42).value() << ' ' << (odd ? "no error" : odd.error().to_string()) << '\n';
}
