//! Time that each stage takes, by the device's own clock.

use crate::device::gpu::Gpu;
use crate::device::program::Program;
use crate::device::readback::read;
use crate::error::GpuError;
use std::time::Duration;

/// Time that a stage took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageTime {
    /// Name of the stage.
    pub stage: &'static str,
    /// Time of all dispatches of it.
    pub time: Duration,
}

/// Runs steps with a pass for each dispatch, as many as there are queries for; tells how many, and the time
/// of each stage. None where the device has no clock.
pub(crate) async fn profile(
    gpu: &Gpu,
    program: &Program,
    grid: [u32; 2],
    steps: usize,
) -> Result<(usize, Vec<StageTime>), GpuError> {
    if !gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
        return Ok((0, Vec::new()));
    }
    // two queries a dispatch, and sets have at most 4096
    let stages = program.stages.len();
    let steps = steps.min(4096 / (2 * stages)).max(1);
    let count = (2 * stages * steps) as u32;
    let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
        label: None,
        ty: wgpu::QueryType::Timestamp,
        count,
    });
    let times = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("times"),
        size: u64::from(count) * 8,
        usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut query = 0;
    for _ in 0..steps {
        for stage in &program.stages {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                    query_set: &queries,
                    beginning_of_pass_write_index: Some(query),
                    end_of_pass_write_index: Some(query + 1),
                }),
            });
            pass.set_bind_group(0, &program.bindings, &[]);
            stage.dispatch(&mut pass, grid);
            query += 2;
        }
    }
    encoder.resolve_query_set(&queries, 0..count, &times, 0);
    gpu.queue.submit([encoder.finish()]);
    let ticks: Vec<u64> = read(gpu, &times, count as usize).await?;
    let period = f64::from(gpu.queue.get_timestamp_period());
    let stage_time = |stage: usize| {
        let spans = ticks.chunks_exact(2).skip(stage).step_by(stages);
        let total: u64 = spans.map(|span| span[1].saturating_sub(span[0])).sum();
        StageTime {
            stage: program.stages[stage].kernel.stage,
            time: Duration::from_nanos((total as f64 * period) as u64),
        }
    };
    Ok((steps, (0..stages).map(stage_time).collect()))
}
