// SPDX-License-Identifier: Apache-2.0
// first error: this_text_is_not_a_value_of_the_enumeration
#include <pintle/api/everyday.hpp>
#include <pintle/pintle.hpp>

pintle::PersistentVolumeClaim claim() {
#ifdef WITH_ERROR
  return {.metadata = {.name = "data"}, .spec = {.access_modes = {"ReadWriteOnce", "ReadOnly"}}};
#else
  return {.metadata = {.name = "data"}, .spec = {.access_modes = {"ReadWriteOnce", "ReadOnlyMany"}}};
#endif
}
