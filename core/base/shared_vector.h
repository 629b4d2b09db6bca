#pragma once

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace plimsoll {

/// A vector that its copies share until one of them is written to: what a pass leaves alone is there once, however many
/// graphs have it. Whoever may write and only reads goes through std::as_const.
template <typename T>
class SharedVector
{
public:
    using value_type = T;

    SharedVector() = default;
    SharedVector(std::initializer_list<T> items) : SharedVector(std::vector<T>(items)) {}
    SharedVector(std::vector<T> items) : m_items(std::make_shared<std::vector<T>>(std::move(items))) {}

    operator const std::vector<T>&() const { return read(); }

    [[nodiscard]] std::size_t size() const { return read().size(); }
    [[nodiscard]] bool empty() const { return read().empty(); }
    [[nodiscard]] const T& operator[](std::size_t index) const { return (*m_items)[index]; }
    [[nodiscard]] const T& at(std::size_t index) const { return read().at(index); }
    [[nodiscard]] const T& front() const { return read().front(); }
    [[nodiscard]] const T& back() const { return read().back(); }
    [[nodiscard]] auto begin() const { return read().begin(); }
    [[nodiscard]] auto end() const { return read().end(); }
    [[nodiscard]] const T* data() const { return read().data(); }

    [[nodiscard]] T& operator[](std::size_t index) { return write()[index]; }
    [[nodiscard]] T& front() { return write().front(); }
    [[nodiscard]] T& back() { return write().back(); }
    [[nodiscard]] auto begin() { return write().begin(); }
    [[nodiscard]] auto end() { return write().end(); }
    void push_back(const T& item) { write().push_back(item); }
    void push_back(T&& item) { write().push_back(std::move(item)); }
    void resize(std::size_t size) { write().resize(size); }
    void reserve(std::size_t size) { write().reserve(size); }
    void clear() { m_items.reset(); }

    [[nodiscard]] const std::vector<T>& read() const
    {
        static const std::vector<T> none;
        return m_items ? *m_items : none;
    }
    /// Its own items from then on; references from before may be to those of a copy.
    [[nodiscard]] std::vector<T>& write()
    {
        if (!m_items)
            m_items = std::make_shared<std::vector<T>>();
        else if (m_items.use_count() > 1)
            m_items = std::make_shared<std::vector<T>>(*m_items);
        std::atomic_thread_fence(std::memory_order_acquire); // behind what another thread did with its copy
        return *m_items;
    }

    friend bool operator==(const SharedVector& a, const SharedVector& b)
    {
        return a.m_items == b.m_items || a.read() == b.read();
    }

private:
    std::shared_ptr<std::vector<T>> m_items; ///< Null: none.
};

} // namespace plimsoll
