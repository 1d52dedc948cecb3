// SPDX-License-Identifier: Apache-2.0
#include <pintle/apiserver/server.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include "apiserver/access/bootstrap_roles.hpp"
#include "apiserver/objects/write.hpp"
#include "builtin_content.hpp"
#include "controllers/background.hpp"
#include "controllers/cluster_objects.hpp"
#include "data_content.hpp"
#include "faults/faults.hpp"
#include "http/front.hpp"

namespace pintle {
namespace {

apiserver::Version first_version(const Executor& executor, const ApiServerOptions& options) {
  if (options.first_version != 0) return options.first_version;
  const auto since_epoch = std::chrono::floor<std::chrono::microseconds>(executor.wall_now()).time_since_epoch();
  return static_cast<apiserver::Version>(std::max<std::int64_t>(since_epoch.count(), 0));
}

}  // namespace

class ApiServer::Machine {
 public:
  Machine(Executor& executor, ApiServerOptions options)
      : log_(std::move(options.log)),
        data_(std::move(options.data)),
        storage_(executor, options.watch_history_size, first_version(executor, options), take_kept(data_)),
        kinds_(options.kinds != nullptr ? std::move(options.kinds) : std::make_shared<const BuiltinKinds>()),
        registry_(executor, kinds_->content().catalog),
        webhook_client_(executor, storage_,
                        {.transport = std::move(options.webhooks.transport),
                         .services = std::move(options.webhooks.services),
                         .find_service = std::move(options.webhooks.find_service)}),
        converter_(executor, registry_, webhook_client_),
        authorizer_(executor, storage_, options.authorization == ApiServerAuthorization::rbac),
        tokens_(executor, storage_),
        users_({.token = std::move(options.token),
                .users = std::move(options.users),
                .evaluates_roles = authorizer_.evaluates_roles()},
               tokens_),
        admission_(executor, storage_, registry_, webhook_client_, converter_, authorizer_, log_),
        quotas_(executor, storage_, registry_),
        notices_(executor, log_, authorizer_.evaluates_roles()),
        event_prints_(executor),
        service_{.executor = executor,
                 .storage = storage_,
                 .registry = registry_,
                 .users = users_,
                 .authorizer = authorizer_,
                 .tokens = tokens_,
                 .admission = admission_,
                 .quotas = quotas_,
                 .converter = converter_,
                 .event_prints = event_prints_,
                 .log = log_,
                 .notices = notices_},
        front_(service_, {.max_body_size = options.max_body_size,
                          .requests_per_second = options.requests_per_second,
                          .build = options.build,
                          .pods = std::move(options.pods)}),
        faults_(
            executor, storage_,
            [this](const http::Request& request, const apiserver::ReadFaults& faults) {
              return front_.handle(request, faults);
            },
            std::move(options.faults)) {
    apiserver::make_namespaces(service_);
    if (authorizer_.evaluates_roles()) make_bootstrap_roles();
    if (options.cluster_objects) apiserver::make_cluster_objects(service_);
    background_ = std::make_unique<apiserver::Background>(
        service_, apiserver::BackgroundOptions{.termination_delay = options.termination_delay,
                                               .keeps_cluster_objects = options.cluster_objects,
                                               .runs_cluster = options.controllers,
                                               .ca_certificate = std::move(options.ca_certificate)});
  }

  void stop() {
    webhook_client_.stop();
    background_->stop();
    storage_.end_all_readers();
  }

  apiserver::Storage& storage() { return storage_; }
  apiserver::Faults& faults() { return faults_; }
  [[nodiscard]] bool is_idle() const { return background_->is_idle(); }
  [[nodiscard]] const apiserver::Admission& admission() const { return admission_; }

 private:
  static apiserver::Kept take_kept(const std::shared_ptr<DataFile>& data) {
    return data == nullptr ? apiserver::Kept{} : std::move(data->content_->kept);
  }

  void make_bootstrap_roles() {
    for (apiserver::BootstrapObject& one : apiserver::bootstrap_roles()) {
      const auto resource = registry_.catalog()->find(apiserver::rbac_group, "v1", one.plural);
      (void)apiserver::create_object(service_, *resource, one.namespace_, std::move(one.object),
                                     {.manager = "kube-apiserver"});
    }
  }

  const Log log_;
  const std::shared_ptr<DataFile> data_;
  apiserver::Storage storage_;
  const std::shared_ptr<const BuiltinKinds> kinds_;
  apiserver::Registry registry_;
  apiserver::WebhookClient webhook_client_;
  apiserver::Converter converter_;
  apiserver::Authorizer authorizer_;
  apiserver::ServiceTokens tokens_;
  apiserver::Users users_;
  apiserver::Admission admission_;
  apiserver::Quotas quotas_;
  apiserver::Notices notices_;
  apiserver::EventPrints event_prints_;
  apiserver::Service service_;
  apiserver::Front front_;
  apiserver::Faults faults_;
  std::unique_ptr<apiserver::Background> background_;
};

ApiServer::ApiServer(Executor& executor, ApiServerOptions options)
    : machine_(std::make_unique<Machine>(executor, std::move(options))) {}

ApiServer::~ApiServer() { stop(); }

http::Response ApiServer::handle(const http::Request& request) { return machine_->faults().handle(request); }

http::Response ApiServer::error_response(int status, std::string_view message) {
  apiserver::Refusal refusal = apiserver::bad_request(std::string(message));
  refusal.code = status;
  if (status == 413) refusal.reason = "RequestEntityTooLarge";
  return {
      .status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::print(refusal.to_status())};
}

void ApiServer::stop() { machine_->stop(); }

std::vector<Object> ApiServer::objects(std::string_view resource) const {
  return machine_->storage().objects(resource);
}

std::uint64_t ApiServer::resource_version() const { return machine_->storage().version(); }

std::uint64_t ApiServer::writes() const { return machine_->storage().writes(); }

bool ApiServer::is_idle() const { return machine_->is_idle(); }

std::vector<AuditAnnotation> ApiServer::audit_annotations() const { return machine_->admission().audit_annotations(); }

void ApiServer::compact() { machine_->storage().compact(); }

Result<void> ApiServer::rewind(std::uint64_t version) { return machine_->storage().rewind(version); }

void ApiServer::set_faults(ServerFaults faults) { machine_->faults().set(std::move(faults)); }

std::uint64_t ApiServer::injected_faults() const { return machine_->faults().hits(); }

}  // namespace pintle
