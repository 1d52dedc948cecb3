// SPDX-License-Identifier: Apache-2.0
#include "index_definition.hpp"

#include <algorithm>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/slot_index.hpp>

namespace pintle {

std::shared_ptr<const IndexDefinition> IndexDefinition::built_in(std::string_view name) {
  const auto make = [&](By by, std::string_view label = {}) {
    return std::shared_ptr<const IndexDefinition>(new IndexDefinition(std::string(name), by, std::string(label)));
  };
  if (name == controller_index) return make(By::controller);
  if (name == owner_index) return make(By::owner);
  if (name.starts_with(label_index_prefix)) return make(By::label, name.substr(label_index_prefix.size()));
  return {};
}

std::uint32_t IndexDefinition::hash_of(std::string_view value) noexcept { return internal::SlotIndex::hash_of(value); }

std::vector<std::string> IndexDefinition::values_of(const Object& object, bool reports) const {
  std::string error;
  try {
    auto values = keys_(object);
    if (values.size() <= max_index_values) return values;
    error = "the function returned " + std::to_string(values.size()) + " values; the limit is " +
            std::to_string(max_index_values);
  } catch (...) {
    error = "the function threw " + describe_exception();
  }
  if (reports && on_error_) on_error_(name_, object, error);
  return {};
}

template <class Use>
void IndexDefinition::for_each_value(const Object& object, bool reports, Use use) const {
  switch (by_) {
    case By::function:
      for (const std::string& value : values_of(object, reports)) {
        if (use(std::string_view(value))) return;
      }
      return;
    case By::controller:
    case By::owner:
      for (const json::View reference : object.owner_references().elements()) {
        if (by_ == By::controller && reference.member("controller") != true) continue;
        if (use(reference.member("uid").text())) return;
      }
      return;
    case By::label:
      if (const auto value = object.labels().member(label_).as_string()) (void)use(*value);
      return;
  }
}

IndexDefinition::Hashes IndexDefinition::hashes_of(const Object& object, bool reports) const {
  Hashes hashes;
  if (!object) return hashes;
  for_each_value(object, reports, [&](std::string_view value) {
    hashes.push_back(hash_of(value));
    return false;
  });
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

bool IndexDefinition::has(const Object& object, std::string_view value) const {
  bool found = false;
  for_each_value(object, false, [&](std::string_view one) { return found = one == value; });
  return found;
}

}  // namespace pintle
