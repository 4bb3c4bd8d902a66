"""Time of a frame Jacobian, kinematics of its chain included, beside Pinocchio's `computeFrameJacobian`."""
