#pragma once

#include <memory>
#include <utility>

namespace plimsoll {

/// A T that most of its many owners leave as T{}: they pay for two pointers. Copies share it until one of them is
/// edited.
template <typename T>
class Rare
{
public:
    Rare() = default;
    Rare(T item)
    {
        if (!(item == T())) m_item = std::make_shared<T>(std::move(item));
    }

    [[nodiscard]] const T& operator*() const
    {
        static const T none {};
        return m_item ? *m_item : none;
    }
    [[nodiscard]] const T* operator->() const { return &**this; }

    /// Its own from then on; references from before may be to what a copy has.
    [[nodiscard]] T& edit()
    {
        if (!m_item || m_item.use_count() > 1) m_item = std::make_shared<T>(**this);
        return *m_item;
    }

    friend bool operator==(const Rare& a, const Rare& b) { return a.m_item == b.m_item || *a == *b; }

private:
    std::shared_ptr<T> m_item; ///< Null: T{}.
};

} // namespace plimsoll
