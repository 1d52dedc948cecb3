// SPDX-License-Identifier: Apache-2.0
#include "parser_alone.hpp"

#include <cstdint>
#include <limits>

#include <boost/json/basic_parser_impl.hpp>

namespace pintle::benchmarks {
namespace {

struct Nobody {
  using Fault = boost::json::error_code;
  using Text = boost::json::string_view;

  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_array_size = max_object_size;
  static constexpr std::size_t max_key_size = max_object_size;
  static constexpr std::size_t max_string_size = max_object_size;

  static bool on_document_begin(Fault& /*fault*/) { return true; }
  static bool on_document_end(Fault& /*fault*/) { return true; }
  static bool on_object_begin(Fault& /*fault*/) { return true; }
  static bool on_object_end(std::size_t /*size*/, Fault& /*fault*/) { return true; }
  static bool on_array_begin(Fault& /*fault*/) { return true; }
  static bool on_array_end(std::size_t /*size*/, Fault& /*fault*/) { return true; }
  static bool on_key_part(Text /*part*/, std::size_t /*size*/, Fault& /*fault*/) { return true; }
  static bool on_key(Text /*rest*/, std::size_t /*size*/, Fault& /*fault*/) { return true; }
  static bool on_string_part(Text /*part*/, std::size_t /*size*/, Fault& /*fault*/) { return true; }
  static bool on_string(Text /*rest*/, std::size_t /*size*/, Fault& /*fault*/) { return true; }
  static bool on_number_part(Text /*part*/, Fault& /*fault*/) { return true; }
  static bool on_int64(std::int64_t /*number*/, Text /*rest*/, Fault& /*fault*/) { return true; }
  static bool on_uint64(std::uint64_t /*number*/, Text /*rest*/, Fault& /*fault*/) { return true; }
  static bool on_double(double /*number*/, Text /*rest*/, Fault& /*fault*/) { return true; }
  static bool on_bool(bool /*value*/, Fault& /*fault*/) { return true; }
  static bool on_null(Fault& /*fault*/) { return true; }
  static bool on_comment_part(Text /*part*/, Fault& /*fault*/) { return true; }
  static bool on_comment(Text /*rest*/, Fault& /*fault*/) { return true; }
};

}  // namespace

bool parse_alone(std::string_view text) {
  boost::json::basic_parser<Nobody> parser({});
  Nobody::Fault error;
  return parser.write_some(false, text.data(), text.size(), error) == text.size() && !error;
}

}  // namespace pintle::benchmarks
