// Every implementation that this CPU has of the kernels that blocks call, held against plain loops: on aligned items, on others,
// and of every length up to some vectors.
#include "weir/volk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "weir/alignment.hpp"
#include "weir/complex_product.hpp"
#include "weir/scaling.hpp"

namespace {

using c64 = std::complex<float>;

constexpr std::size_t kLongest = 1100;
/// Items from a multiple of kAlignment: none, and a few.
constexpr std::size_t kShifts[] = {0, 1, 3};

std::mt19937& dice() {
    static std::mt19937 engine(4711);
    return engine;
}

template <class T> T random_item() {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(dice()());
    } else if constexpr (std::is_same_v<T, c64>) {
        return {random_item<float>(), random_item<float>()};
    } else {
        std::normal_distribution<float> normal;
        const auto item = normal(dice()) * std::exp2(static_cast<float>(dice()() % 20) - 10.0F);
        return dice()() % 50 == 0 ? 0.0F : item;
    }
}

/// Items behind an aligned place, among others that must stay what they are.
template <class T> class Items {
  public:
    explicit Items(std::size_t shift) : bytes_((kLongest + 2 * kMargin) * sizeof(T) + weir::kAlignment) {
        auto* begin = bytes_.data();
        begin += (weir::kAlignment - reinterpret_cast<std::uintptr_t>(begin) % weir::kAlignment) % weir::kAlignment;
        first_ = reinterpret_cast<T*>(begin) + kMargin + shift;
        for (std::size_t i = 0; i < kLongest; ++i) first_[i] = random_item<T>();
    }
    T* data() { return first_; }

  private:
    static constexpr std::size_t kMargin = weir::kAlignment;  // items, so that what follows is aligned, too
    std::vector<std::byte> bytes_;
    T* first_;
};

template <class T> bool same_bits(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

/// `reach`: how far off a result may be, in units of the last place of `size`; 0: not a bit.
template <class T>::testing::AssertionResult is_near(T got, T wanted, double size, double reach) {
    if (same_bits(got, wanted)) return ::testing::AssertionSuccess();
    if constexpr (!std::is_integral_v<T>) {
        const float unit =
            std::nextafter(static_cast<float>(size), std::numeric_limits<float>::infinity()) - static_cast<float>(size);
        if (reach > 0 && std::abs(got - wanted) <= reach * static_cast<double>(unit))
            return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << +std::abs(got) << " instead of " << +std::abs(wanted);
}

using Implementations = std::vector<weir::KernelImplementation>;

/// One output, items by items. `run(name, out, in…, items)` calls an implementation; `element(in…)` makes an item, and `size(in…)` says
/// of what size roundings are.
template <class Out, class... In, class Run, class Element, class Size>
void hold(const Implementations& implementations, Run run, Element element, double reach, Size size) {
    ASSERT_FALSE(implementations.empty());
    for (const weir::KernelImplementation& it : implementations) {
        for (const std::size_t shift : kShifts) {
            if (it.aligned && shift != 0) continue;
            Items<Out> out(shift);
            std::tuple in{Items<In>(shift)...};
            for (std::size_t n = 0; n <= kLongest; n = n < 70 ? n + 1 : n + 257) {
                const Out behind = out.data()[n];
                std::apply(
                    [&](auto&... one) {
                        run(std::string(it.name).c_str(), out.data(), one.data()..., static_cast<unsigned>(n));
                    },
                    in);
                for (std::size_t i = 0; i < n; ++i) {
                    const Out wanted = std::apply([&](auto&... one) { return element(one.data()[i]...); }, in);
                    const double scale =
                        std::apply([&](auto&... one) { return static_cast<double>(size(one.data()[i]...)); }, in);
                    ASSERT_TRUE(is_near(out.data()[i], wanted, scale, reach))
                        << it.name << ", item " << i << " of " << n << " from " << shift;
                }
                ASSERT_TRUE(same_bits(out.data()[n], behind)) << it.name << " wrote beyond " << n;
            }
        }
    }
}

template <class Out, class... In, class Run, class Element>
void hold_to_the_bit(const Implementations& implementations, Run run, Element element) {
    hold<Out, In...>(implementations, run, element, 0, [](const In&...) { return 0; });
}

#define IMPLEMENTATIONS(kernel) weir::detail::volk_implementations<kernel##_get_func_desc>()

TEST(VolkKernels, OfTwoFloats) {
    using Call = void (*)(float*, const float*, const float*, unsigned, const char*);
    const auto check = [](const Implementations& all, Call call, auto element) {
        const auto run = [call](const char* name, float* y, const float* a, const float* b, unsigned n) {
            call(y, a, b, n, name);
        };
        hold_to_the_bit<float, float, float>(all, run, element);
    };
    check(IMPLEMENTATIONS(volk_32f_x2_add_32f), volk_32f_x2_add_32f_manual, [](float a, float b) { return a + b; });
    check(IMPLEMENTATIONS(volk_32f_x2_subtract_32f), volk_32f_x2_subtract_32f_manual,
          [](float a, float b) { return a - b; });
    check(IMPLEMENTATIONS(volk_32f_x2_multiply_32f), volk_32f_x2_multiply_32f_manual,
          [](float a, float b) { return a * b; });
#if defined(__x86_64__)
    const auto quotient = [](const char* name, float* y, const float* a, const float* b, unsigned n) {
        volk_32f_x2_divide_32f_manual(y, a, b, n, name);
    };
    hold<float, float, float>(
        IMPLEMENTATIONS(volk_32f_x2_divide_32f),
        [&](const char* name, float* y, const float* a, float* b, unsigned n) {
            for (unsigned i = 0; i < n; ++i) b[i] = b[i] == 0.0F ? 1.0F : b[i];  // 0 / 0 has many bits
            quotient(name, y, a, b, n);
        },
        [](float a, float b) { return a / b; }, 0, [](float, float) { return 0; });
#endif
}

TEST(VolkKernels, OfAFloatAndAConstant) {
    const auto run = [](const char* name, float* y, const float* x, unsigned n) {
        volk_32f_s32f_multiply_32f_manual(y, x, 0.7F, n, name);
    };
    hold_to_the_bit<float, float>(IMPLEMENTATIONS(volk_32f_s32f_multiply_32f), run, [](float x) { return x * 0.7F; });
}

TEST(VolkKernels, BetweenIntegers) {
    const auto widen = [](const char* name, std::int16_t* y, const std::int8_t* x, unsigned n) {
        volk_8i_convert_16i_manual(y, x, n, name);
    };
    hold_to_the_bit<std::int16_t, std::int8_t>(IMPLEMENTATIONS(volk_8i_convert_16i), widen,
                                               [](std::int8_t x) { return static_cast<std::int16_t>(x * 256); });
    const auto narrow = [](const char* name, std::int8_t* y, const std::int16_t* x, unsigned n) {
        volk_16i_convert_8i_manual(y, x, n, name);
    };
    hold_to_the_bit<std::int8_t, std::int16_t>(IMPLEMENTATIONS(volk_16i_convert_8i), narrow,
                                               [](std::int16_t x) { return static_cast<std::int8_t>(x >> 8); });
}

TEST(VolkKernels, FromIntegersToFloat) {
    for (const float scale : {1.0F, 3.0F, -127.0F}) {
        const auto to_float = [scale](auto x) { return weir::scaled_to_float(x, 1.0F / scale, 0.0F); };
        hold_to_the_bit<float, std::int8_t>(
            IMPLEMENTATIONS(volk_8i_s32f_convert_32f),
            [scale](const char* name, float* y, const std::int8_t* x, unsigned n) {
                volk_8i_s32f_convert_32f_manual(y, x, scale, n, name);
            },
            to_float);
        hold_to_the_bit<float, std::int32_t>(
            IMPLEMENTATIONS(volk_32i_s32f_convert_32f),
            [scale](const char* name, float* y, const std::int32_t* x, unsigned n) {
                volk_32i_s32f_convert_32f_manual(y, x, scale, n, name);
            },
            to_float);
    }
    for (const float scale : {1.0F, 32768.0F, 0.25F, -2.0F}) {  // of others it is divided by here, and multiplied there
        const auto to_float = [scale](std::int16_t x) { return weir::scaled_to_float(x, 1.0F / scale, 0.0F); };
        hold_to_the_bit<float, std::int16_t>(
            IMPLEMENTATIONS(volk_16i_s32f_convert_32f),
            [scale](const char* name, float* y, const std::int16_t* x, unsigned n) {
                volk_16i_s32f_convert_32f_manual(y, x, scale, n, name);
            },
            to_float);
    }
}

TEST(VolkKernels, FromFloatToIntegers) {
    for (const float scale : {1.0F, 127.0F, -300.5F}) {  // far beyond what bytes and shorts hold
        hold_to_the_bit<std::int8_t, float>(
            IMPLEMENTATIONS(volk_32f_s32f_convert_8i),
            [scale](const char* name, std::int8_t* y, const float* x, unsigned n) {
                volk_32f_s32f_convert_8i_manual(y, x, scale, n, name);
            },
            [scale](float x) { return weir::scaled_from_float<std::int8_t>(x, scale, 0.0F); });
        hold_to_the_bit<std::int16_t, float>(
            IMPLEMENTATIONS(volk_32f_s32f_convert_16i),
            [scale](const char* name, std::int16_t* y, const float* x, unsigned n) {
                volk_32f_s32f_convert_16i_manual(y, x, scale, n, name);
            },
            [scale](float x) { return weir::scaled_from_float<std::int16_t>(x, scale, 0.0F); });
        hold_to_the_bit<std::int32_t, float>(
            IMPLEMENTATIONS(volk_32f_s32f_convert_32i),
            [scale](const char* name, std::int32_t* y, const float* x, unsigned n) {
                volk_32f_s32f_convert_32i_manual(y, x, scale, n, name);
            },
            [scale](float x) { return weir::scaled_from_float<std::int32_t>(x, scale, 0.0F); });
    }
}

TEST(VolkKernels, BetweenComplexAndReal) {
    hold_to_the_bit<float, c64>(
        IMPLEMENTATIONS(volk_32fc_deinterleave_real_32f),
        [](const char* name, float* y, const c64* x, unsigned n) {
            volk_32fc_deinterleave_real_32f_manual(y, x, n, name);
        },
        [](c64 x) { return x.real(); });
    hold_to_the_bit<float, c64>(
        IMPLEMENTATIONS(volk_32fc_deinterleave_imag_32f),
        [](const char* name, float* y, const c64* x, unsigned n) {
            volk_32fc_deinterleave_imag_32f_manual(y, x, n, name);
        },
        [](c64 x) { return x.imag(); });
    for (const bool imaginary : {false, true}) {
        const auto run = [imaginary](const char* name, float* y, const c64* x, unsigned n) {
            static Items<float> aligned(0), other(1);
            float* rest = reinterpret_cast<std::uintptr_t>(y) % weir::kAlignment == 0 ? aligned.data() : other.data();
            volk_32fc_deinterleave_32f_x2_manual(imaginary ? rest : y, imaginary ? y : rest, x, n, name);
        };
        hold_to_the_bit<float, c64>(IMPLEMENTATIONS(volk_32fc_deinterleave_32f_x2), run,
                                    [imaginary](c64 x) { return imaginary ? x.imag() : x.real(); });
    }
    hold_to_the_bit<c64, float, float>(
        IMPLEMENTATIONS(volk_32f_x2_interleave_32fc),
        [](const char* name, c64* y, const float* re, const float* im, unsigned n) {
            volk_32f_x2_interleave_32fc_manual(y, re, im, n, name);
        },
        [](float re, float im) { return c64(re, im); });
    hold<float, c64>(
        IMPLEMENTATIONS(volk_32fc_magnitude_32f),
        [](const char* name, float* y, const c64* x, unsigned n) { volk_32fc_magnitude_32f_manual(y, x, n, name); },
        [](c64 x) { return std::sqrt(x.real() * x.real() + x.imag() * x.imag()); }, 2,
        [](c64 x) { return std::abs(x); });
    hold<float, c64>(
        IMPLEMENTATIONS(volk_32fc_magnitude_squared_32f),
        [](const char* name, float* y, const c64* x, unsigned n) {
            volk_32fc_magnitude_squared_32f_manual(y, x, n, name);
        },
        [](c64 x) { return std::norm(x); }, 2, [](c64 x) { return std::norm(x); });
}

TEST(VolkKernels, OfComplexNumbers) {
    const auto product_size = [](c64 a, c64 b) { return std::abs(a) * std::abs(b); };
    hold_to_the_bit<c64, c64>(
        IMPLEMENTATIONS(volk_32fc_conjugate_32fc),
        [](const char* name, c64* y, const c64* x, unsigned n) { volk_32fc_conjugate_32fc_manual(y, x, n, name); },
        [](c64 x) { return c64(x.real(), -x.imag()); });
    hold<c64, c64, c64>(
        IMPLEMENTATIONS(volk_32fc_x2_multiply_32fc),
        [](const char* name, c64* y, const c64* a, const c64* b, unsigned n) {
            volk_32fc_x2_multiply_32fc_manual(y, a, b, n, name);
        },
        weir::complex_product, 3, product_size);
    hold<c64, c64, c64>(
        IMPLEMENTATIONS(volk_32fc_x2_multiply_conjugate_32fc),
        [](const char* name, c64* y, const c64* a, const c64* b, unsigned n) {
            volk_32fc_x2_multiply_conjugate_32fc_manual(y, a, b, n, name);
        },
        [](c64 a, c64 b) { return weir::complex_product(a, std::conj(b)); }, 3, product_size);
    const c64 constant(0.7F, -1.3F);
    hold<c64, c64>(
        IMPLEMENTATIONS(volk_32fc_s32fc_multiply_32fc),
        [constant](const char* name, c64* y, const c64* x, unsigned n) {
#if WEIR_VOLK_TAKES_POINTERS
            volk_32fc_s32fc_multiply2_32fc_manual(y, x, &constant, n, name);
#else
            volk_32fc_s32fc_multiply_32fc_manual(y, x, constant, n, name);
#endif
        },
        [constant](c64 x) { return weir::complex_product(x, constant); }, 3,
        [constant](c64 x) { return std::abs(x) * std::abs(constant); });
}

/// The sum of so many products as items: in any order, so within what their sizes say.
template <class T, class Run> void hold_sums(const Implementations& implementations, Run run) {
    for (const weir::KernelImplementation& it : implementations) {
        for (const std::size_t shift : kShifts) {
            if (it.aligned && shift != 0) continue;
            Items<T> items(shift);
            Items<float> taps(0);  // as blocks have them
            for (std::size_t n = 1; n <= kLongest; n = n < 70 ? n + 1 : n + 257) {
                T sum{};
                run(std::string(it.name).c_str(), &sum, items.data(), taps.data(), static_cast<unsigned>(n));
                std::complex<double> wanted = 0;
                double size = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    wanted += std::complex<double>(items.data()[k]) * static_cast<double>(taps.data()[k]);
                    size += std::abs(items.data()[k]) * std::abs(static_cast<double>(taps.data()[k]));
                }
                ASSERT_LE(std::abs(std::complex<double>(sum) - wanted), 8 * 0x1p-23 * size)
                    << it.name << ", " << n << " from " << shift;
            }
        }
    }
}

TEST(VolkKernels, OfSums) {
    hold_sums<float>(IMPLEMENTATIONS(volk_32f_x2_dot_prod_32f),
                     [](const char* name, float* y, const float* x, const float* taps, unsigned n) {
                         volk_32f_x2_dot_prod_32f_manual(y, x, taps, n, name);
                     });
    hold_sums<c64>(IMPLEMENTATIONS(volk_32fc_32f_dot_prod_32fc),
                   [](const char* name, c64* y, const c64* x, const float* taps, unsigned n) {
                       volk_32fc_32f_dot_prod_32fc_manual(y, x, taps, n, name);
                   });
}

}  // namespace
