// SPDX-License-Identifier: Apache-2.0
#pragma once

extern "C" {

// Fresh numbers in [-0.5, 0.5) for the two operands, and room for the result.
void bench_prepare(unsigned first_size, unsigned second_size, unsigned result_size);

// Each does its work `repeats` times over what bench_prepare laid out.
void bench_matmul(unsigned m, unsigned n, unsigned k, unsigned b_transposed, unsigned repeats);
void bench_exp(unsigned count, unsigned repeats);
void bench_softmax(unsigned rows, unsigned cols, unsigned repeats);
// `alpha` in tenths: 20 is sparsemax.
void bench_entmax(unsigned rows, unsigned cols, unsigned alpha, unsigned repeats);
// A convolution with a square kernel of so many pixels, from all channels to as many.
void bench_convolve(unsigned side, unsigned channels, unsigned size, unsigned repeats);

// A compiled program of so many small nodes, and its evaluation.
void bench_compile(unsigned nodes);
double bench_evaluate(unsigned repeats);

// Multiplications and additions in registers alone, `steps` long; what it returns depends on every
// one of them. The operations are how many there are.
unsigned bench_peak_variants();
double bench_peak(unsigned variant, unsigned steps);
double bench_peak_operations(unsigned variant, unsigned steps);
// Reads so many numbers once.
double bench_read(unsigned count, unsigned streams);
#ifdef ATTEND_AVX2
double bench_peak_avx2(unsigned variant, unsigned steps);
double bench_peak_avx2_operations(unsigned variant, unsigned steps);
double bench_peak_avx512(unsigned variant, unsigned steps);
double bench_peak_avx512_operations(unsigned variant, unsigned steps);
#endif
}
