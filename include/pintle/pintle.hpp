// Everything an operator needs: `#include <pintle/pintle.hpp>`.
#pragma once

#include <pintle/api/everyday.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/base/error.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/base/time.hpp>
#include <pintle/client/client.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/object.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/runtime/children.hpp>
#include <pintle/runtime/context.hpp>
#include <pintle/runtime/controller.hpp>
#include <pintle/runtime/finalizers.hpp>
#include <pintle/runtime/leader_election.hpp>
#include <pintle/runtime/manager.hpp>
#include <pintle/runtime/outcome.hpp>
#include <pintle/runtime/status_writer.hpp>
