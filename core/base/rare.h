#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace plimsoll {

/// A T that most of its many owners leave as T{}: they pay for one pointer. Copies share it until one of them is
/// edited.
template <typename T>
class Rare
{
public:
    Rare() = default;
    Rare(T item)
    {
        if (!(item == T())) m_held = new Held {1, std::move(item)};
    }
    Rare(const Rare& other) : m_held(other.m_held)
    {
        if (m_held) m_held->owners.fetch_add(1, std::memory_order_relaxed);
    }
    Rare(Rare&& other) noexcept : m_held(std::exchange(other.m_held, nullptr)) {}
    Rare& operator=(Rare other) noexcept
    {
        std::swap(m_held, other.m_held);
        return *this;
    }
    ~Rare()
    {
        if (m_held && m_held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete m_held;
    }

    [[nodiscard]] const T& operator*() const
    {
        if (m_held) return m_held->item;
        static const T none {};
        return none;
    }
    [[nodiscard]] const T* operator->() const { return &**this; }

    /// Its own from then on; references from before may be to what a copy has.
    [[nodiscard]] T& edit()
    {
        if (!m_held || m_held->owners.load(std::memory_order_acquire) > 1) {
            Rare own;
            own.m_held = new Held {1, **this};
            std::swap(m_held, own.m_held);
        }
        return m_held->item;
    }

    friend bool operator==(const Rare& a, const Rare& b) { return a.m_held == b.m_held || *a == *b; }

private:
    struct Held
    {
        std::atomic<std::size_t> owners;
        T item;
    };
    Held* m_held = nullptr; ///< Null: T{}.
};

} // namespace plimsoll
