// SPDX-License-Identifier: Apache-2.0
// EventType: the type of a Kubernetes Event; `warning` if the Event is about a problem.
#pragma once

namespace pintle {

enum class EventType { normal, warning };

}  // namespace pintle
