// SPDX-License-Identifier: Apache-2.0
// The commands of the debug API that concern one object.
#pragma once

#include <optional>

#include <pintle/http/handler.hpp>

#include "controller/runner/controller_runner.hpp"
#include "election/elector.hpp"

namespace pintle {

// The parameter `key` is the object. Error responses: 400 for an invalid parameter, 404 if there is no such object, 403
// if the operator may not write it, 503 if the command cannot be carried out now.
[[nodiscard]] http::Response reconcile_now(ControllerRunner& controller, const http::Target& target);
// Sets the annotation that pauses the object, or removes it if the parameter `paused` is "false". Calls the API server.
[[nodiscard]] http::Response pause(ControllerRunner& controller, const http::Target& target);
// The response to a command that another instance must carry out: 503.
[[nodiscard]] http::Response only_the_leader(const ControllerRunner& controller,
                                             const std::optional<ElectionStanding>& election);
[[nodiscard]] http::Response no_such_object(const ControllerRunner& controller, const ObjectKey& key);

}  // namespace pintle
