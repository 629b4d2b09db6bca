#pragma once

#include "core/base/rare.h"

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace plimsoll {

/// A vector that its copies share until one of them is written to: what a pass leaves alone is there once, however many
/// graphs have it. Code that may write and only reads goes through std::as_const.
template <typename T>
class SharedVector
{
public:
    using value_type = T;

    SharedVector() = default;
    SharedVector(std::initializer_list<T> items) : SharedVector(std::vector<T>(items)) {}
    SharedVector(std::vector<T> items)
    {
        if (!items.empty()) m_items.edit() = std::move(items);
    }

    operator const std::vector<T>&() const { return read(); }

    [[nodiscard]] std::size_t size() const { return read().size(); }
    [[nodiscard]] bool empty() const { return read().empty(); }
    [[nodiscard]] const T& operator[](std::size_t index) const { return read()[index]; }
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
    void clear() { m_items = {}; }

    [[nodiscard]] const std::vector<T>& read() const { return *m_items; }
    /// Its own items from then on; references from before may be to those of a copy.
    [[nodiscard]] std::vector<T>& write() { return m_items.edit(); }

    friend bool operator==(const SharedVector&, const SharedVector&) = default;

private:
    Rare<std::vector<T>> m_items;
};

} // namespace plimsoll
