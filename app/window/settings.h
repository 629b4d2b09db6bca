#pragma once

#include "app/window/look/theme.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include <memory>

namespace plimsoll::app {

/// What is remembered from one start to the next: recent files, theme, layout.
class Settings
{
public:
    /// \p remember false: nothing is read or written (screenshots).
    explicit Settings(bool remember);

    [[nodiscard]] QStringList recentFiles() const; ///< Newest first; some may be gone.
    void addRecentFile(const QString& file) const;
    void clearRecentFiles() const;

    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice theme) const;

    /// Empty when none was saved by this version of the layout.
    [[nodiscard]] QByteArray layout() const;
    [[nodiscard]] QByteArray geometry() const;
    void setLayout(const QByteArray& layout, const QByteArray& geometry) const;

    /// Raised whenever the docks change; an older layout is forgotten.
    static constexpr int LayoutVersion = 2;

private:
    std::unique_ptr<QSettings> m_store; ///< Null: nothing is remembered.
};

} // namespace plimsoll::app
