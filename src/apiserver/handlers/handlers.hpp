// One function a verb: from a call to its response.
#pragma once

#include <memory>

#include <pintle/http/handler.hpp>

#include "apiserver/call/call.hpp"
#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

[[nodiscard]] Answer<http::Response> handle_get(Service& service, const Call& call);
[[nodiscard]] Answer<http::Response> handle_list(Service& service, const Call& call);
[[nodiscard]] Answer<http::Response> handle_watch(Service& service, const Call& call);
[[nodiscard]] Answer<http::Response> handle_create(Service& service, const Call& call);
[[nodiscard]] Answer<http::Response> handle_update(Service& service, const Call& call);
[[nodiscard]] Answer<http::Response> handle_patch(Service& service, const Call& call);
[[nodiscard]] Answer<http::Response> handle_delete(Service& service, const Call& call);
[[nodiscard]] Answer<http::Response> handle_delete_collection(Service& service, const Call& call);

// The creation of what is not stored but answered (Resource::is_review), for the user who sent it.
[[nodiscard]] Answer<http::Response> handle_review(const Users& users, const User& asker, const Call& call);

// Of Pods: where it is to run, and that it shall go unless a disruption budget needs it.
[[nodiscard]] Answer<http::Response> handle_bind(Service& service, const Call& call);
[[nodiscard]] Answer<http::Response> handle_evict(Service& service, const Call& call);

// The scale sub-resource, get, update and patch.
[[nodiscard]] Answer<http::Response> handle_scale(Service& service, const Call& call);

}  // namespace pintle::apiserver
