// SPDX-License-Identifier: Apache-2.0
#include "place.hpp"

namespace pintle::apiserver {

std::string Place::print() const {
  if (parent_ == nullptr) return {};
  std::string out = parent_->print();
  if (is_item_) return out.append("[").append(std::to_string(index_)).append("]");
  if (!out.empty()) out += '.';
  return out.append(name_);
}

}  // namespace pintle::apiserver
