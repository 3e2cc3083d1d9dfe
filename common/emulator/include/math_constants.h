// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Constants under CUDA's names.
#pragma once

// clang-format off
#define CUDART_INF_F            __builtin_inff()
#define CUDART_NAN_F            __builtin_nanf("")
#define CUDART_MIN_DENORM_F     1.401298464324817e-45f
#define CUDART_MAX_NORMAL_F     3.402823466385289e+38f
#define CUDART_NEG_ZERO_F       (-0.0f)
#define CUDART_ZERO_F           0.0f
#define CUDART_ONE_F            1.0f
#define CUDART_SQRT_HALF_F      0.7071067811865476f
#define CUDART_SQRT_TWO_F       1.4142135623730951f
#define CUDART_THIRD_F          0.3333333333333333f
#define CUDART_PIO4_F           0.7853981633974483f
#define CUDART_PIO2_F           1.5707963267948966f
#define CUDART_3PIO4_F          2.356194490192345f
#define CUDART_PI_F             3.141592653589793f
#define CUDART_2_OVER_PI_F      0.6366197723675814f
#define CUDART_SQRT_2_OVER_PI_F 0.7978845608028654f
#define CUDART_L2E_F            1.4426950408889634f
#define CUDART_L2T_F            3.321928094887362f
#define CUDART_LG2_F            0.3010299956639812f
#define CUDART_LGE_F            0.4342944819032518f
#define CUDART_LN2_F            0.6931471805599453f
#define CUDART_LNT_F            2.302585092994046f
#define CUDART_INF              __builtin_inf()
#define CUDART_NAN              __builtin_nan("")
#define CUDART_MIN_DENORM       4.9406564584124654e-324
#define CUDART_MAX_NORMAL       1.7976931348623157e+308
#define CUDART_NEG_ZERO         (-0.0)
#define CUDART_ZERO             0.0
#define CUDART_ONE              1.0
#define CUDART_SQRT_TWO         1.4142135623730951
#define CUDART_SQRT_HALF        0.7071067811865476
#define CUDART_THIRD            0.3333333333333333
#define CUDART_PIO4             0.7853981633974483
#define CUDART_PIO2             1.5707963267948966
#define CUDART_3PIO4            2.356194490192345
#define CUDART_PI               3.141592653589793
#define CUDART_2_OVER_PI        0.6366197723675814
#define CUDART_SQRT_2_OVER_PI   0.7978845608028654
#define CUDART_L2E              1.4426950408889634
#define CUDART_L2T              3.321928094887362
#define CUDART_LG2              0.3010299956639812
#define CUDART_LGE              0.4342944819032518
#define CUDART_LN2              0.6931471805599453
#define CUDART_LNT              2.302585092994046
// clang-format on
