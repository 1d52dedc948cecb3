// SPDX-License-Identifier: Apache-2.0
// first error: this_text_is_not_a_value_of_the_enumeration
#include <pintle/api/everyday.hpp>
#include <pintle/pintle.hpp>

pintle::Container container() {
#ifdef WITH_ERROR
  return {.image_pull_policy = "IfNotPresnt", .name = "web"};
#else
  return {.image_pull_policy = "IfNotPresent", .name = "web"};
#endif
}
