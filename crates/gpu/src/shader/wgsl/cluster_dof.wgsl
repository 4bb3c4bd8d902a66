// First dof of the cluster that a dof belongs to.
//#import common

//#if CLUSTERS
// First dof of the cluster that a dof belongs to.
fn cluster_dof(i: u32) -> u32 { return index(DOF_CLUSTER + i); }
//#else
fn cluster_dof(i: u32) -> u32 { return 0u; }
//#end
