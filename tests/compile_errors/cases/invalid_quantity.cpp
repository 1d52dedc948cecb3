// SPDX-License-Identifier: Apache-2.0
// first error: this_literal_is_not_a_quantity
#include <pintle/object/quantity_map.hpp>
#include <pintle/pintle.hpp>

pintle::QuantityMap limits() {
#ifdef WITH_ERROR
  return {{"memory", "1024Mx"}};
#else
  return {{"memory", "1024Mi"}};
#endif
}
