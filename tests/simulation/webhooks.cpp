// SPDX-License-Identifier: Apache-2.0
// Operators whose webhooks are wrong: the API server may call a webhook again, or refuse the request afterwards.
#include <memory>
#include <utility>

#include <pintle/webhook/admission.hpp>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using testkit::FaultClass;
using testkit::Oracle;

testkit::SubjectSetup with_admission(std::function<Admission<Booth>()> make) {
  return [make = std::move(make)](testkit::Subject& subject) {
    subject.manager.webhooks.listen = "0.0.0.0:9443";
    subject.add_controllers = [make](Manager& manager) {
      manager.add(
          owner_of_cards([](const Booth& booth, Context& ctx) -> Outcome { return ensure(ctx, card_of(booth)); }));
      manager.add(make());
    };
  };
}

// Counts its calls: an object whose creation fails after the call, and is repeated, gets the next number.
Admission<Booth> numbers_in_webhook() {
  const auto last = std::make_shared<std::int64_t>(0);
  return {.defaults = [last](Booth& booth) {
    if (booth.spec.title == "plain") booth.spec.title = "number " + number(++*last);
  }};
}

// Adds to its own result: each request for the object makes the text longer.
Admission<Booth> appends_in_webhook() {
  return {.defaults = [](Booth& booth) { booth.spec.note = booth.spec.note.value_or("seen") + " again"; }};
}

}  // namespace

std::vector<WrongOperator> wrong_webhooks() {
  return {
      {.name = "NumbersInWebhook",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = {.faults = {FaultClass::webhooks}},
       .setup = with_admission(numbers_in_webhook)},
      {.name = "AppendsInWebhook", .expected = {Oracle::stays_idle}, .setup = with_admission(appends_in_webhook)},
  };
}

}  // namespace pintle::wrong_operators
