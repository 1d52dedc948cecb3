// SPDX-License-Identifier: Apache-2.0
// The content of BuiltinKinds.
#pragma once

#include <pintle/apiserver/builtin_kinds.hpp>

#include "registry/catalog.hpp"

namespace pintle {

class BuiltinKinds::Content {
 public:
  apiserver::BuiltinCatalog catalog{};
};

}  // namespace pintle
