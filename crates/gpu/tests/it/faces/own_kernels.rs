//! Kernels of users that bind the buffers of the device.

use super::{simulator, text};
use kinetree_gpu::GpuSim;

/// Adds the damping of the first dof, as each world has it, to the first velocity.
const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> numbers: array<f32>;
@group(0) @binding(1) var<storage, read_write> states: array<f32>;

@compute @workgroup_size(1)
fn push(@builtin(workgroup_id) group: vec3<u32>) {
    states[group.x * STATE_SIZE + STATE_QVEL] += numbers[group.x * FLOATS_STRIDE + DOF_DAMPING];
}
";

fn push(sim: &GpuSim, worlds: u32) {
    let (device, queue) = (sim.gpu().device(), sim.gpu().queue());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl((sim.model_constants() + KERNEL).into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("push"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let entries = [(0, sim.model_buffer()), (1, sim.state_buffer())]
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(worlds, 1, 1);
    }
    queue.submit([encoder.finish()]);
}

#[test]
fn kernels_of_users_see_numbers_of_the_model_and_write_states() {
    let model = text(
        "<mujoco><worldbody><body><joint type='slide' damping='0.5'/><geom size='0.1'/></body></worldbody></mujoco>",
    );
    let Some(mut sim) = simulator(model, 3) else { return };
    push(&sim, 3);
    assert_eq!(sim.velocities().unwrap(), [0.5; 3]);
    // a row of numbers for each world
    sim.vary("dof_damping", &[0.25, 1.0, 2.0]).unwrap();
    push(&sim, 3);
    assert_eq!(sim.velocities().unwrap(), [0.75, 1.5, 2.5]);
}
