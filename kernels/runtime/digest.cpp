#include "kernels/runtime/digest.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace plimsoll::kernels {
namespace {

std::uint64_t mix(std::uint64_t word)
{
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
    return word ^ (word >> 31);
}

/// One step of the running hash.
[[gnu::always_inline]] inline std::uint64_t absorb(std::uint64_t state, std::uint64_t word)
{
    return std::rotl(state ^ (word * 0x9FB21C651E98DF25ULL), 29) * 0xD6E8FEB86659FD93ULL + 0x2545F4914F6CDD1DULL;
}

} // namespace

void Digest::add(std::uint64_t word)
{
    m_state = absorb(m_state, word);
}

void Digest::add(std::span<const std::byte> bytes)
{
    add(static_cast<std::uint64_t>(bytes.size()));
    std::size_t at = 0;
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
    add(std::span(tensor.as<const std::byte>(), static_cast<std::size_t>(tensor.bytes())));
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

std::uint64_t RandomStream::next()
{
    m_state += 0x9E3779B97F4A7C15ULL;
    return mix(m_state);
}

} // namespace plimsoll::kernels
