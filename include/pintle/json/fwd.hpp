// SPDX-License-Identifier: Apache-2.0
// Forward declarations of the JSON types. The definitions are in value.hpp, document.hpp and pool.hpp.
#pragma once

#include <boost/json/fwd.hpp>

namespace pintle::json {

using Value = boost::json::value;
using object = boost::json::object;
using array = boost::json::array;

class Document;
class MessageTypes;
class Pool;
class View;

}  // namespace pintle::json
