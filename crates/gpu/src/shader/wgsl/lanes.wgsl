// How lanes of a workgroup communicate: by subgroups of 32, or through workgroup memory.

//#if SUBGROUPS && ONE_SUBGROUP
//#import lanes_scan
//#import lanes_subgroup
//#elif SUBGROUPS
//#import lanes_scan
//#import lanes_subgroups
//#else
//#import lanes_workgroup
//#end
