// ApiPass: one pass over an API object.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include <tl/expected.hpp>

#include <pintle/controller/finalizers.hpp>
#include <pintle/patterns/service/api_reconciler.hpp>

namespace pintle::service {

class ApiPass {
 public:
  // Both outlive it.
  ApiPass(const ApiReconcilerSpec& spec, Object api, Context& ctx);

  Outcome run();

 private:
  using Clusters = tl::expected<RequestClusters, AccessOutcome>;

  // Takes off the annotation that asks for this pass, or what the pass comes to when it cannot.
  tl::expected<void, Outcome> take_request();
  // The domain with the config that counts, or what the pass comes to without one.
  tl::expected<std::unique_ptr<Domain>, Outcome> domain_with_config();
  Outcome create_or_update(Domain& domain);
  Outcome remove(Domain& domain);
  // Nothing, or what the pass comes to when the domain has not cleaned up.
  tl::expected<void, Outcome> clean_up(Domain& domain);
  [[nodiscard]] bool is_cleaned_up() const;
  Result<void> note_cleaned_up(std::string_view reason, std::string_view message);
  Outcome give_back(bool is_cleaned_up);
  Result<bool> is_access_going();
  Result<bool> is_going(std::string_view id);
  Outcome release();

  Clusters reach_clusters();
  Result<RequestCluster> reach(std::string_view id, std::string_view missing);

  void works_on(Object api);
  // By whether the object is being deleted.
  void say(std::string_view reason, std::string_view message);
  // Says why the pass does not get on.
  Outcome blocked(AccessOutcome access, std::string_view error, std::string_view reason, std::string_view message);
  Outcome stopped(Error error, std::string_view message);
  Result<void> write_status();

  const ApiReconcilerSpec& spec_;
  AdvancedProvider& access_;
  Object api_;
  const ObjectKey key_;
  Context& ctx_;
  Finalizers finalizers_;
};

}  // namespace pintle::service
