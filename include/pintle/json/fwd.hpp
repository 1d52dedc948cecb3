// The names of JSON declared, for headers that name them in declarations; value.hpp, document.hpp and pool.hpp have
// them whole.
#pragma once

#include <boost/json/fwd.hpp>

namespace pintle::json {

using Value = boost::json::value;
using object = boost::json::object;
using array = boost::json::array;

class Document;
class Pool;
class View;

}  // namespace pintle::json
