// SPDX-License-Identifier: Apache-2.0
// The journal in a SQLite file.
#pragma once

#include <string>

#include <pintle/base/executor.hpp>

#include "journal.hpp"

namespace pintle::apiserver {

// Opens or creates a file and reads what it has kept. No other process can use the file until the journal is destroyed.
// Errors contain the path: unavailable if another process uses the file, unsupported if it has another format, invalid
// otherwise.
[[nodiscard]] Result<Kept> open_sqlite_journal(Executor& executor, const std::string& path);

}  // namespace pintle::apiserver
