// Time of Pinocchio's computeFrameJacobian on the serial arm that `frame_jacobian.rs` builds too.
// Prints nanoseconds per call and the sum of absolute entries, one line for each number of joints.
#include <chrono>
#include <cstdio>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/multibody.hpp>

namespace pin = pinocchio;

// Hinges about z and y in turn, each 0.1 ahead of and 0.2 above the one before.
static pin::Model arm(int joints, pin::FrameIndex &tip) {
  pin::Model model;
  const pin::SE3 step(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0.1, 0.0, 0.2));
  pin::JointIndex last = 0;
  for (int i = 0; i < joints; ++i) {
    const std::string name = "j" + std::to_string(i);
    last = i % 2 == 0 ? model.addJoint(last, pin::JointModelRZ(), step, name) : model.addJoint(last, pin::JointModelRY(), step, name);
    model.appendBodyToJoint(last, pin::Inertia::Random(), pin::SE3::Identity());
  }
  const pin::SE3 flange(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0.0, 0.0, 0.1));
  tip = model.addFrame(pin::Frame("tip", last, flange, pin::OP_FRAME));
  return model;
}

int main() {
  constexpr int calls = 1000000;
  for (int joints : {6, 7}) {
    pin::FrameIndex tip;
    const pin::Model model = arm(joints, tip);
    pin::Data data(model);
    Eigen::VectorXd q(joints);
    for (int i = 0; i < joints; ++i) q[i] = 0.3 * (i + 1);
    pin::Data::Matrix6x jacobian = pin::Data::Matrix6x::Zero(6, joints);
    double kept = 0.0;
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) {
      q[0] = 0.3 + 1e-9 * k;
      pin::computeFrameJacobian(model, data, q, tip, pin::LOCAL_WORLD_ALIGNED, jacobian);
      kept += jacobian(0, 0);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    volatile double keep = kept;
    (void)keep;
    std::printf("%d %.2f %.12f\n", joints, 1e9 * seconds / calls, jacobian.cwiseAbs().sum());
  }
}
