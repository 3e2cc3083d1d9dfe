// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The discrete Fourier transform by its definition, on the host: L^2 products, for small L and as an oracle.
#pragma once

#include <complex>
#include <vector>

namespace tutorial {

/// X[k] = sum over n of x[n] exp(-2 pi i k n / L), k = 0 .. L - 1.
std::vector<std::complex<double>> dft(const std::vector<std::complex<double>>& x);

/// x[n] = 1/L sum over k of X[k] exp(2 pi i k n / L): the way back.
std::vector<std::complex<double>> inverse_dft(const std::vector<std::complex<double>>& spectrum);

/// y[n] = sum over k of h[k] x[(n - k) mod L], n = 0 .. L - 1: indices go around. h has at most L elements
/// (std::invalid_argument otherwise).
std::vector<double> circular_convolution(const std::vector<double>& x, const std::vector<double>& h);

/// The same by the convolution theorem: transform, multiply, transform back.
std::vector<double> circular_convolution_by_dft(const std::vector<double>& x, const std::vector<double>& h);

}  // namespace tutorial
