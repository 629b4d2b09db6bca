#include "kernels/run/step/digest.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace plimsoll::kernels {
namespace {

/// One step of the running hash.
[[gnu::always_inline]] inline std::uint64_t absorb(std::uint64_t state, std::uint64_t word)
{
    return std::rotl(state ^ (word * 0x9FB21C651E98DF25ULL), 29) * 0xD6E8FEB86659FD93ULL + 0x2545F4914F6CDD1DULL;
}

/// The first bytes, as far as all lanes have some; fewer than that are not worth lanes. Returns how many were taken.
std::size_t absorbLanes(std::uint64_t& state, std::span<const std::byte> bytes)
{
    constexpr std::size_t Lanes = 4;
    constexpr std::size_t Least = 256;
    if (bytes.size() < Least) return 0;
    std::uint64_t lanes[Lanes] = {state, state + 1, state + 2, state + 3};
    std::size_t at = 0;
    for (; at + 8 * Lanes <= bytes.size(); at += 8 * Lanes) {
        std::uint64_t words[Lanes];
        std::memcpy(words, bytes.data() + at, sizeof words);
        for (std::size_t lane = 0; lane < Lanes; ++lane)
            lanes[lane] = absorb(lanes[lane], words[lane]);
    }
    for (const std::uint64_t lane : lanes)
        state = absorb(state, mix(lane));
    return at;
}

} // namespace

void Digest::add(std::uint64_t word)
{
    m_state = absorb(m_state, word);
}

void Digest::add(std::span<const std::byte> bytes)
{
    add(static_cast<std::uint64_t>(bytes.size()));
    std::size_t at = absorbLanes(m_state, bytes);
    std::uint64_t state = m_state;
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        state = absorb(state, word);
    }
    m_state = state;
    if (at == bytes.size()) return;
    std::uint64_t tail = 0;
    std::memcpy(&tail, bytes.data() + at, bytes.size() - at);
    add(tail);
}

void Digest::add(std::string_view text)
{
    add(std::as_bytes(std::span(text.data(), text.size())));
}

void Digest::add(const TensorView& tensor)
{
    add(static_cast<std::uint64_t>(tensor.dtype));
    add(static_cast<std::uint64_t>(tensor.shape.size()));
    for (const std::int64_t size : tensor.shape)
        add(static_cast<std::uint64_t>(size));
    if (tensor.dtype == DType::String) {
        for (std::int64_t i = 0; i < tensor.elements(); ++i)
            add(std::string_view(tensor.as<std::string>()[i]));
        return;
    }
    add(std::span<const std::byte>(tensor.byteSpan()));
}

void Digest::add(const RuntimeValue& value)
{
    add(static_cast<std::uint64_t>(value.kind));
    if (value.kind == RuntimeValue::Kind::Tensor) add(value.tensor);
    if (value.kind != RuntimeValue::Kind::Sequence) return;
    add(static_cast<std::uint64_t>(value.sequence.size()));
    for (const HostTensor& element : value.sequence)
        add(element.view());
}

std::uint64_t Digest::value() const
{
    return mix(m_state);
}

std::string Digest::hex() const
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value()));
    return text;
}

} // namespace plimsoll::kernels
