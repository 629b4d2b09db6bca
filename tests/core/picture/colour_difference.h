#pragma once

#include "core/picture/palette.h"

#include <array>
#include <cmath>
#include <numbers>

namespace plimsoll::test {

struct Lab
{
    double l = 0;
    double a = 0;
    double b = 0;
};

using Matrix = std::array<std::array<double, 3>, 3>;

enum class Vision { Normal, Protan, Deutan, Tritan };

inline constexpr std::array<Vision, 4> EveryVision = {Vision::Normal, Vision::Protan, Vision::Deutan, Vision::Tritan};

/// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
inline const Matrix& simulation(Vision vision)
{
    static const Matrix Normal = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    static const Matrix Protan = {
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
    static const Matrix Deutan = {
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
    static const Matrix Tritan = {
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    switch (vision) {
    case Vision::Normal:
        break;
    case Vision::Protan:
        return Protan;
    case Vision::Deutan:
        return Deutan;
    case Vision::Tritan:
        return Tritan;
    }
    return Normal;
}

inline double toLinear(double v)
{
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

inline std::array<double, 3> apply(const Matrix& m, const std::array<double, 3>& v)
{
    std::array<double, 3> out {};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return out;
}

inline Lab toLab(Rgb colour, Vision vision)
{
    static const Matrix ToXyz = {
        {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
    std::array<double, 3> rgb = {toLinear(colour.r / 255.0), toLinear(colour.g / 255.0), toLinear(colour.b / 255.0)};
    rgb = apply(simulation(vision), rgb);
    for (double& channel : rgb)
        channel = std::min(1.0, std::max(0.0, channel));
    const auto xyz = apply(ToXyz, rgb);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f(xyz[0] / 0.95047);
    const double y = f(xyz[1]);
    const double z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// CIEDE2000, after Sharma, Wu and Dalal 2005.
inline double difference(Lab p, Lab q)
{
    constexpr double Degree = std::numbers::pi / 180;
    const double meanC = (std::hypot(p.a, p.b) + std::hypot(q.a, q.b)) / 2;
    const double c7 = std::pow(meanC, 7);
    const double g = 0.5 * (1 - std::sqrt(c7 / (c7 + std::pow(25.0, 7))));
    const double a1 = (1 + g) * p.a;
    const double a2 = (1 + g) * q.a;
    const double c1 = std::hypot(a1, p.b);
    const double c2 = std::hypot(a2, q.b);
    const auto hue = [](double b, double a) {
        if (a == 0 && b == 0) return 0.0;
        const double h = std::atan2(b, a) / (std::numbers::pi / 180);
        return h < 0 ? h + 360 : h;
    };
    const double h1 = hue(p.b, a1);
    const double h2 = hue(q.b, a2);
    double dh = c1 * c2 == 0 ? 0 : h2 - h1;
    if (dh > 180) dh -= 360;
    if (dh < -180) dh += 360;
    const double dL = q.l - p.l;
    const double dC = c2 - c1;
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 * Degree);
    const double l = (p.l + q.l) / 2;
    const double c = (c1 + c2) / 2;
    double h = h1 + h2;
    if (c1 * c2 != 0) {
        if (std::abs(h1 - h2) <= 180)
            h = (h1 + h2) / 2;
        else
            h = h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
    }
    const double t = 1 - 0.17 * std::cos((h - 30) * Degree) + 0.24 * std::cos(2 * h * Degree) +
                     0.32 * std::cos((3 * h + 6) * Degree) - 0.20 * std::cos((4 * h - 63) * Degree);
    const double sL = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50));
    const double sC = 1 + 0.045 * c;
    const double sH = 1 + 0.015 * c * t;
    const double cc7 = std::pow(c, 7);
    const double rotation = -2 * std::sqrt(cc7 / (cc7 + std::pow(25.0, 7))) *
                            std::sin(60 * Degree * std::exp(-((h - 275) / 25) * ((h - 275) / 25)));
    return std::sqrt(dL * dL / (sL * sL) + dC * dC / (sC * sC) + dH * dH / (sH * sH) +
                     rotation * (dC / sC) * (dH / sH));
}

inline double difference(Rgb a, Rgb b, Vision vision)
{
    return difference(toLab(a, vision), toLab(b, vision));
}

} // namespace plimsoll::test
