// SPDX-License-Identifier: Apache-2.0
// Made-up objects that resemble those of a real cluster: they are equal where real objects are equal, and differ where
// real objects differ.
#pragma once

#include <cstddef>
#include <string>

namespace pintle::benchmarks {

// These functions return the JSON text of the n-th object, as a server sends it within a list, with managedFields. The
// same n gives the same text.

// 6 KB. The pods of one deployment (`per_deployment` of them) differ only in name, uid, version, node, addresses and
// container id.
[[nodiscard]] std::string pod(std::size_t n, std::size_t per_deployment = 25);
// A custom resource, 1.3 KB.
[[nodiscard]] std::string widget(std::size_t n);
// The same with another kind.
[[nodiscard]] std::string gadget(std::size_t n);
// 2 KB; half of them have the certificate that every namespace has.
[[nodiscard]] std::string config_map(std::size_t n);
// With `size` bytes of data, in base64.
[[nodiscard]] std::string secret(std::size_t n, std::size_t size = 100'000);

// Returns a list of these objects, as a server sends it.
template <class Object>
[[nodiscard]] std::string list_of(std::string api_version, std::string kind, std::size_t count, Object object) {
  std::string text = R"({"kind":")" + kind + R"(List","apiVersion":")" + api_version +
                     R"(","metadata":{"resourceVersion":"100000"},"items":[)";
  for (std::size_t n = 0; n < count; ++n) {
    if (n != 0) text += ',';
    text += object(n);
  }
  return text += "]}";
}

}  // namespace pintle::benchmarks
