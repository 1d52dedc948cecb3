// SPDX-License-Identifier: Apache-2.0
// For tests of Opinionated handlers: an object with finalizers of several owners, and the number of its patches.
#pragma once

#include "test_support.hpp"

namespace pintle::watcher {

inline const std::string ours = "operator.v1.Note.test.pintle.dev";
inline const std::string theirs = "their.dev/cleanup";

class OpinionatedTest : public WatcherTest {
 protected:
  using WatcherTest::WatcherTest;

  Object make(const std::vector<std::string>& finalizers = {}) {
    Note made = note("x");
    made.metadata.finalizers = finalizers;
    create(made);
    return stored("x");
  }
  // Returns the object in the state of being deleted.
  Object make_deleting(const std::vector<std::string>& finalizers) {
    make(finalizers);
    remove("x");
    return stored("x");
  }
  void set_finalizers(const std::vector<std::string>& finalizers) {
    patch("x", {{"metadata", json::object{{"finalizers", json::array(finalizers.begin(), finalizers.end())}}}});
  }
  // Calls handlers in a reconcile in which each patch is counted and may fail.
  void play(const std::function<void(Context&)>& calls) {
    in_a_reconcile([&](const Object&, Context& context) {
      const http::Fault counting{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                   if (request.method != "PATCH") return false;
                                   ++patches;
                                   return false;
                                 }};
      plan = {counting};
      instance->transport().set_faults(plan);
      calls(context);
    });
  }
  void refuse_patches(std::uint64_t times, http::ErrorResponse response = {.status = 403, .reason = "Forbidden"}) {
    http::FaultPlan errors = plan;
    errors.push_back({.effect = std::move(response), .only = http::requests("PATCH", ""), .times = times});
    instance->transport().set_faults(errors);
  }

  http::FaultPlan plan;
  int patches = 0;
};

}  // namespace pintle::watcher
