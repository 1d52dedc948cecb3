// EventType: whether a Kubernetes Event is about something normal or about a problem.
#pragma once

namespace pintle {

enum class EventType { normal, warning };

}  // namespace pintle
