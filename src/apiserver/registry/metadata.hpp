// The rules of metadata, the same for every kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/value.hpp>

#include "resource.hpp"

namespace pintle::apiserver {

// What is wrong with the metadata of a new object.
void validate_metadata(const json::Value& object, const Resource& resource, std::vector<Cause>& causes);

// What is wrong with the metadata of a changed one. The real server looks twice, so every cause is there twice.
void validate_metadata_change(const json::Value& next, const json::Value& old, const Resource& resource,
                              std::vector<Cause>& causes);

}  // namespace pintle::apiserver
