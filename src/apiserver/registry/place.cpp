// SPDX-License-Identifier: Apache-2.0
#include "place.hpp"

#include <algorithm>

#include <pintle/base/utf8.hpp>

namespace pintle::apiserver {

std::string Place::print() const { return print(std::string::npos); }

std::string Place::print(std::size_t limit) const {
  std::string out;
  append_to(out, limit);
  if (out.size() <= limit) return out;
  out.resize(truncate_utf8(out, limit).size());
  return out.append("...");
}

// Appends nothing to a text that is longer than the limit already.
void Place::append_to(std::string& out, std::size_t limit) const {
  if (parent_ == nullptr) return;
  parent_->append_to(out, limit);
  if (out.size() > limit) return;
  if (is_item_) {
    out.append("[").append(std::to_string(index_)).append("]");
    return;
  }
  if (!out.empty()) out += '.';
  const std::size_t left = limit - std::min(out.size(), limit);
  out.append(name_.substr(0, left == std::string::npos ? left : left + 1));  // one byte more shows that it is too long
}

}  // namespace pintle::apiserver
