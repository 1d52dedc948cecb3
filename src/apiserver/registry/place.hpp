// Place: where in an object a check is, put into words only for who is to be told.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle::apiserver {

// A step from the place before, which must outlive it, as the name must. A plain value.
class Place {
 public:
  Place() = default;  // the object itself
  Place(const Place& parent, std::string_view name) : parent_(&parent), name_(name) {}
  Place(const Place& parent, std::size_t index) : parent_(&parent), index_(index), is_item_(true) {}

  // "spec.containers[0].image", "" for the object itself.
  [[nodiscard]] std::string print() const;

 private:
  const Place* parent_ = nullptr;
  std::string_view name_{};
  std::size_t index_ = 0;
  bool is_item_ = false;
};

}  // namespace pintle::apiserver
