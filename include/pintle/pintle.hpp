// SPDX-License-Identifier: Apache-2.0
// The headers that most operators need. Include the others where you use them: the everyday kinds that are not in
// small_kinds.hpp (pintle/api/everyday.hpp), the patterns (pintle/patterns/*.hpp), webhooks
// (pintle/webhook/admission.hpp), schedules (pintle/base/schedule.hpp), further types of fields (quantity.hpp,
// int_or_string.hpp and micro_time.hpp in pintle/object/), daemons, timers and watched files (pintle/manager/),
// sub-handlers (pintle/controller/sub_handlers.hpp).
#pragma once

#include <pintle/api/small_kinds.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/base/error.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/random_text.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/children.hpp>
#include <pintle/controller/clusters.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/controller/finalizers.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/controller/ready_status.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/election/leader_election.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>
#include <pintle/manager/flag.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/box.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/object.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/object/schema/explain.hpp>
#include <pintle/object/template_hash.hpp>
#include <pintle/object/versions.hpp>
