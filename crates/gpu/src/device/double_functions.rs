//! Elementary functions of double precision on the device beside those of the processor.

use super::buffers::bind;
use super::gpu::Gpu;
use super::readback::read_numbers;
use crate::precision::Precision;
use crate::shader::double::FUNCTIONS;

/// What a function of two arguments makes of pairs of numbers on the device; `None` without one.
fn computed(function: &str, arguments: &[[f64; 2]]) -> Option<Vec<f64>> {
    let gpu = Gpu::new(None).ok().filter(Gpu::has_double);
    let Some(gpu) = gpu else {
        eprintln!("skipped: no GPU with double precision");
        return None;
    };
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> pairs: array<vec2<f64>>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            if (id.x >= arrayLength(&pairs)) {{ return; }}
            let x = pairs[id.x].x;
            let y = pairs[id.x].y;
            pairs[id.x].x = {function};
        }}
        {FUNCTIONS}"
    );
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(text.into()),
    });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: size_of_val(arguments) as u64,
        usage,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(arguments));
    let bindings = bind(&gpu, &pipeline.get_bind_group_layout(0), &[&buffer]);
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &bindings, &[]);
    pass.dispatch_workgroups(arguments.len().div_ceil(64) as u32, 1, 1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    let all: Vec<f64> =
        pollster::block_on(read_numbers(&gpu, &buffer, 2 * arguments.len(), Precision::Double))
            .expect("numbers");
    Some(all.chunks_exact(2).map(|pair| pair[0]).collect())
}

/// Compares a function over numbers from `low` to `high`, with an error that is allowed, in units of the
/// last place of the result or of `floor`.
fn compare(function: &str, [low, high]: [f64; 2], units: f64, floor: f64, exact: impl Fn(f64, f64) -> f64) {
    let count = 20_000;
    let at = |k: usize| low + (high - low) * k as f64 / (count - 1) as f64;
    // the second arguments go through their range at another pace
    let arguments: Vec<[f64; 2]> = (0..count).map(|k| [at(k), at((k * 7919 + 13) % count)]).collect();
    let Some(results) = computed(function, &arguments) else { return };
    let mut worst = (0.0, [0.0; 2], 0.0, 0.0);
    for ([x, y], result) in arguments.into_iter().zip(results) {
        let wanted = exact(x, y);
        let error = (result - wanted).abs() / (f64::EPSILON * wanted.abs().max(floor));
        if error > worst.0 || error.is_nan() {
            worst = (error, [x, y], result, wanted);
        }
    }
    let (error, [x, y], result, wanted) = worst;
    println!("{function} from {low:e} to {high:e}: {error:.2} units");
    assert!(error <= units, "{function} at {x}, {y}: {result:e} for {wanted:e}, {error} units");
}

#[test]
fn elementary_functions_are_those_of_the_processor() {
    for range in [[-10.0, 10.0], [-1e-3, 1e-3], [-1e6, 1e6]] {
        compare("double_sin(x)", range, 2.0, f64::MIN_POSITIVE, |x, _| x.sin());
        compare("double_cos(x)", range, 2.0, f64::MIN_POSITIVE, |x, _| x.cos());
        compare("double_tan(x)", range, 4.0, f64::MIN_POSITIVE, |x, _| x.tan());
        compare("double_atan(x)", range, 3.0, f64::MIN_POSITIVE, |x, _| x.atan());
        compare("double_atan2(x, y)", range, 3.0, f64::MIN_POSITIVE, f64::atan2);
    }
    compare("double_asin(x)", [-1.0, 1.0], 4.0, f64::MIN_POSITIVE, |x, _| x.asin());
    compare("double_acos(x)", [-1.0, 1.0], 4.0, f64::MIN_POSITIVE, |x, _| x.acos());
    for range in [[-1.0, 1.0], [-40.0, 40.0], [-700.0, 709.0]] {
        compare("double_exp(x)", range, 3.0, f64::MIN_POSITIVE, |x, _| x.exp());
    }
    compare("double_exp2(x)", [-1020.0, 1020.0], 3.0, f64::MIN_POSITIVE, |x, _| x.exp2());
    for range in [[1e-320, 1e-300], [1e-9, 1e-3], [0.5, 2.0], [0.999, 1.001], [2.0, 1e9], [1e290, 1e300]] {
        compare("double_log(x)", range, 3.0, f64::MIN_POSITIVE, |x, _| x.ln());
        compare("double_log2(x)", range, 4.0, f64::MIN_POSITIVE, |x, _| x.log2());
    }
    // the error of a logarithm counts as often as the exponent
    compare("double_pow(x, y)", [1e-3, 8.0], 40.0, f64::MIN_POSITIVE, f64::powf);
    compare("double_sinh(x)", [-30.0, 30.0], 5.0, f64::MIN_POSITIVE, |x, _| x.sinh());
    compare("double_cosh(x)", [-30.0, 30.0], 5.0, f64::MIN_POSITIVE, |x, _| x.cosh());
    compare("double_tanh(x)", [-30.0, 30.0], 8.0, f64::MIN_POSITIVE, |x, _| x.tanh());
    let ends = [[0.0, 2.0], [0.0, 0.0], [f64::INFINITY, 1.0], [-1.0, 1.0]];
    if let Some(powers) = computed("double_pow(x, y)", &ends) {
        assert!(powers[..3] == [0.0, 1.0, f64::INFINITY] && powers[3].is_nan(), "{powers:?}");
    }
}
