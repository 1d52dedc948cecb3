// SPDX-License-Identifier: Apache-2.0
// The content of a DataFile, until a server takes it.
#pragma once

#include <pintle/apiserver/data_file.hpp>

#include "storage/journal.hpp"

namespace pintle {

class DataFile::Content {
 public:
  apiserver::Kept kept{};
};

}  // namespace pintle
