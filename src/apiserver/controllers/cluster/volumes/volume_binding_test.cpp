// SPDX-License-Identifier: Apache-2.0
// The binding of claims to volumes.
#include "../test_support.hpp"

namespace pintle {
namespace {

const std::string volume_path = "/api/v1/persistentvolumes";
const std::string claim_path = "/api/v1/namespaces/default/persistentvolumeclaims";

class VolumeBindingTest : public ClusterTest {
 protected:
  void make_volume(const std::string& name, const std::string& size, const std::string& spec = "") {
    const auto made =
        post(volume_path, R"({"metadata":{"name":")" + name + R"("},"spec":{)" + spec +
                              R"("accessModes":["ReadWriteOnce","ReadOnlyMany"],"capacity":{"storage":")" + size +
                              R"("},"hostPath":{"path":"/tmp"}}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  void make_claim(const std::string& name, const std::string& size, const std::string& spec = "") {
    const auto made = post(claim_path, R"({"metadata":{"name":")" + name + R"("},"spec":{)" + spec +
                                           R"("accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":")" +
                                           size + R"("}}}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  // "phase volume" of a claim.
  std::string bound(const std::string& claim) {
    const auto read = get(claim_path + "/" + claim);
    return read.at("/status/phase") + " " + read.at("/spec/volumeName");
  }
  std::string phase(const std::string& volume) { return get(volume_path + "/" + volume).at("/status/phase"); }
};

TEST_F(VolumeBindingTest, AClaimGetsTheSmallestVolumeThatFits) {
  make_volume("large", "10Gi");
  make_volume("small", "1Gi");
  make_volume("medium", "5Gi");
  make_volume("other", "2Gi", R"("storageClassName":"fast",)");
  run_until_idle();
  EXPECT_EQ(phase("medium"), "Available");
  make_claim("c", "2Gi");
  run_until_idle();
  EXPECT_EQ(bound("c"), "Bound medium");
  EXPECT_EQ(get(claim_path + "/c").at("/status/capacity/storage"), "5Gi");
  EXPECT_EQ(get(claim_path + "/c").at("/status/accessModes"), R"(["ReadWriteOnce","ReadOnlyMany"])");
  EXPECT_EQ(phase("medium"), "Bound");
  EXPECT_EQ(get(volume_path + "/medium").at("/spec/claimRef/uid"), get(claim_path + "/c").at("/metadata/uid"));
  EXPECT_EQ(phase("large"), "Available");
}

TEST_F(VolumeBindingTest, AClaimWaitsForAVolume) {
  make_claim("a", "2Gi");
  make_claim("b", "2Gi");
  run_until_idle();
  EXPECT_EQ(bound("a"), "Pending ");
  make_volume("v", "2Gi");
  run_until_idle();
  EXPECT_EQ(bound("a"), "Bound v");
  EXPECT_EQ(bound("b"), "Pending ");
}

TEST_F(VolumeBindingTest, AReservedVolumeIsForItsClaimOnly) {
  make_volume("v", "2Gi", R"("claimRef":{"namespace":"default","name":"b"},)");
  make_claim("a", "1Gi");
  run_until_idle();
  EXPECT_EQ(bound("a"), "Pending ");
  make_claim("b", "1Gi");
  run_until_idle();
  EXPECT_EQ(bound("b"), "Bound v");
  make_volume("w", "5Gi");
  run_until_idle();
  EXPECT_EQ(bound("a"), "Bound w") << "although the other one is smaller";
}

TEST_F(VolumeBindingTest, AClaimMayWaitForAPod) {
  post("/apis/storage.k8s.io/v1/storageclasses",
       R"({"metadata":{"name":"late"},"provisioner":"none","volumeBindingMode":"WaitForFirstConsumer"})");
  make_volume("v", "2Gi", R"("storageClassName":"late",)");
  make_claim("c", "1Gi", R"("storageClassName":"late",)");
  run_until_idle();
  EXPECT_EQ(bound("c"), "Pending ");
  post(cluster_pods, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],"volumes":[{"name":"v",
      "persistentVolumeClaim":{"claimName":"c"}}]}})");
  run_until_idle();
  EXPECT_EQ(bound("c"), "Bound v");
}

TEST_F(VolumeBindingTest, TheReclaimPolicyDecidesAfterTheClaim) {
  make_volume("kept", "1Gi");
  make_claim("a", "1Gi");
  run_until_idle();
  make_volume("gone", "1Gi", R"("persistentVolumeReclaimPolicy":"Delete",)");
  make_claim("b", "1Gi");
  run_until_idle();
  EXPECT_EQ(bound("b"), "Bound gone");
  remove(claim_path + "/a");
  remove(claim_path + "/b");
  run_until_idle();
  EXPECT_EQ(phase("kept"), "Released");
  EXPECT_EQ(names("persistentvolumes"), "kept");
  make_claim("a", "1Gi");
  run_until_idle();
  EXPECT_EQ(bound("a"), "Pending ") << "a released volume is not bound again";
}

TEST_F(VolumeBindingTest, AClaimIsLostWithItsVolume) {
  make_volume("v", "1Gi");
  make_claim("a", "1Gi");
  run_until_idle();
  remove(volume_path + "/v");
  run_until_idle();
  EXPECT_EQ(bound("a"), "Lost v");
}

}  // namespace
}  // namespace pintle
