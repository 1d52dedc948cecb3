// SPDX-License-Identifier: Apache-2.0
#include "tracing.hpp"

namespace pintle {

void note_error(Span& span, const Error& error) {
  span.set_attribute({"error.type", to_string(error.code)});
  if (error.code != ErrorCode::cancelled) span.set_error(error.to_string());
}

}  // namespace pintle
