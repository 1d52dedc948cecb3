// SPDX-License-Identifier: Apache-2.0
#include <pintle/apiserver/builtin_kinds.hpp>

#include "builtin_content.hpp"

namespace pintle {

BuiltinKinds::BuiltinKinds() : content_(std::make_unique<const Content>()) {}
BuiltinKinds::~BuiltinKinds() = default;

}  // namespace pintle
