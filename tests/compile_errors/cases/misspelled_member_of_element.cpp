// SPDX-License-Identifier: Apache-2.0
// first error: 'pintle::api::core::v1::Container' has no non-static data member named 'imge'
#include <pintle/api/everyday.hpp>
#include <pintle/pintle.hpp>

// In a list the type of the element is written, because a bare {.imge = …} only fails to convert.
pintle::Pod pod() {
  using pintle::Container;
  return {.metadata = {.name = "a"},
#ifdef WITH_ERROR
          .spec = {.containers = {Container{.imge = "nginx", .name = "web"}}}};
#else
          .spec = {.containers = {Container{.image = "nginx", .name = "web"}}}};
#endif
}
