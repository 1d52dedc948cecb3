// WriteOptions: the options in the query of a write.
#pragma once

#include <string>

namespace pintle::apiserver {

enum class FieldValidation { ignore, warn, strict };

struct WriteOptions {
  std::string manager = "pintle";  // the field manager
  bool dry_run = false;
  FieldValidation validation = FieldValidation::ignore;
};

}  // namespace pintle::apiserver
