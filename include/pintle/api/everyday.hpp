// The kinds operators use every day, by their short names.
#pragma once

#include <pintle/api/core/v1.hpp>

namespace pintle {

using api::core::v1::ConfigMap;
using api::core::v1::Secret;

}  // namespace pintle
