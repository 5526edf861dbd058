//! Kernels of expressions on blocks that lie in cache.

use colstore_kernels::compute::{self, Binary, Compare, Kernel, Lanes, Operand, Set, Type, Unary};
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

fn lanes(rows: usize, value: impl Fn(usize) -> f64) -> Lanes {
    let mut lanes = Lanes::new(rows * 8);
    for (i, out) in lanes.bytes_mut().chunks_mut(8).enumerate() {
        out.copy_from_slice(&value(i).to_le_bytes());
    }
    lanes
}

fn run(
    group: &mut BenchmarkGroup<'_, criterion::measurement::WallTime>,
    name: &str,
    kernel: Option<Kernel>,
    operands: &[Operand<'_>],
    rows: usize,
) {
    let Some(kernel) = kernel else { return };
    let mut out = Lanes::new(rows * 8);
    group.bench_function(name, |b| b.iter(|| kernel.run(operands, out.bytes_mut(), rows)));
}

fn kernels(c: &mut Criterion) {
    for rows in [1024, 4096, 16_384] {
        let (a, b) = (lanes(rows, |i| (i as f64 * 0.7).sin()), lanes(rows, |i| (i as f64 * 0.9).sin() + 2.0));
        let (x, y) = (Operand::Column(a.bytes()), Operand::Column(b.bytes()));
        let constant = lanes(1, |_| 0.5);
        let half = Operand::Constant(constant.bytes());
        let mut group = c.benchmark_group(format!("compute {rows} rows"));
        group.throughput(Throughput::Elements(rows as u64));
        run(&mut group, "f64 > constant", compute::compare(Compare::Greater, Type::F64), &[x, half], rows);
        run(&mut group, "f64 + f64", compute::binary(Binary::Add, Type::F64), &[x, y], rows);
        run(&mut group, "f64 * constant", compute::binary(Binary::Multiply, Type::F64), &[x, half], rows);
        run(&mut group, "f64 // f64", compute::binary(Binary::FloorDivide, Type::F64), &[x, y], rows);
        run(&mut group, "f16 + f16", compute::binary(Binary::Add, Type::F16), &[x, y], rows);
        run(&mut group, "i64 * i64", compute::binary(Binary::Multiply, Type::I64), &[x, y], rows);
        run(&mut group, "i64 // i64", compute::binary(Binary::FloorDivide, Type::I64), &[x, y], rows);
        run(&mut group, "sqrt f64", compute::unary(Unary::Sqrt, Type::F64), &[y], rows);
        run(&mut group, "f64 to i64", Some(compute::cast(Type::F64, Type::I64)), &[x], rows);
        run(&mut group, "i32 to f64", Some(compute::cast(Type::I32, Type::F64)), &[x], rows);
        for len in [3_u32, 12, 13, 1000] {
            let elements: Vec<u8> = (0..len).flat_map(|i| (i * 77).to_le_bytes()).collect();
            let set = Set::new(Type::I32, &elements);
            let mut out = vec![0; rows];
            group.bench_function(format!("i32 in {len}"), |bench| {
                bench.iter(|| set.contains(a.bytes(), false, &mut out, rows));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
