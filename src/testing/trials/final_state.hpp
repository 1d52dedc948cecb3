// SPDX-License-Identifier: Apache-2.0
// The objects at the end of a run in a form in which two runs can be compared.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <pintle/apiserver/server.hpp>

#include "stored_key.hpp"

namespace pintle::testkit {

// Objects by "resource namespace/name". Values that the server or the clock makes up are replaced: uids (also in
// names), versions, times, generated names. An observed generation is replaced by its relation to the generation.
using FinalState = std::map<std::string, std::string>;

// All objects of `resources`, except `without`. `assigned`: see Subject::assigned.
[[nodiscard]] FinalState final_state(const ApiServer& server, const std::set<std::string>& resources,
                                     const std::set<StoredKey>& without, const std::vector<std::string>& assigned = {});
// Returns the first difference as a sentence, or "".
[[nodiscard]] std::string first_difference(const FinalState& expected, const FinalState& actual);

}  // namespace pintle::testkit
