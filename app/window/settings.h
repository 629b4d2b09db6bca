#pragma once

#include "app/window/look/theme.h"
#include "core/facts/words/number_text.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>
#include <QVariantMap>

#include <memory>

namespace plimsoll::app {

/// What is remembered from one start to the next: recent files, theme, layout, and what is kept by name.
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

    [[nodiscard]] QString language() const; ///< One of Languages.
    void setLanguage(const QString& language) const;

    /// What is kept by name, of one kind: "shortcuts", "layouts/v2", "filters/values".
    [[nodiscard]] QVariantMap named(const QString& kind) const;
    void setNamed(const QString& kind, const QVariantMap& things) const;

    /// The action that was taken last of those that exclude each other: "colour" has "colour.type". Empty: none yet.
    [[nodiscard]] QString chosen(const QString& group) const;
    void setChosen(const QString& group, const QString& action) const;

    /// Nothing moves by itself. What the desktop wants, until it is set.
    [[nodiscard]] bool reducedMotion() const;
    void setReducedMotion(bool reduced) const;

    [[nodiscard]] bool compactSteps() const; ///< Not at first.
    void setCompactSteps(bool compact) const;

    [[nodiscard]] NumberForm numberForm() const;
    void setNumberForm(NumberForm form) const;

    [[nodiscard]] bool keepsLog() const; ///< As a file; not at first.
    void setKeepsLog(bool keeps) const;

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
