#include "app/window/settings.h"

#include <QFileInfo>

namespace plimsoll::app {
namespace {

constexpr int MostRecentFiles = 20;
const QString RecentKey = QStringLiteral("recentFiles");
const QString ThemeKey = QStringLiteral("theme");
const QString LayoutKey = QStringLiteral("layout/v%1").arg(Settings::LayoutVersion);
const QString GeometryKey = QStringLiteral("geometry");

} // namespace

Settings::Settings(bool remember)
    : m_store(remember ? std::make_unique<QSettings>(QStringLiteral("plimsoll"), QStringLiteral("plimsoll")) : nullptr)
{
}

QStringList Settings::recentFiles() const
{
    return m_store ? m_store->value(RecentKey).toStringList() : QStringList();
}

void Settings::addRecentFile(const QString& file) const
{
    if (!m_store) return;
    const QString path = QFileInfo(file).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    m_store->setValue(RecentKey, QStringList(files.mid(0, MostRecentFiles)));
}

void Settings::clearRecentFiles() const
{
    if (m_store) m_store->remove(RecentKey);
}

ThemeChoice Settings::theme() const
{
    const QString name = m_store ? m_store->value(ThemeKey).toString() : QString();
    return themeFromName(name).value_or(ThemeChoice::System);
}

void Settings::setTheme(ThemeChoice theme) const
{
    if (m_store) m_store->setValue(ThemeKey, themeName(theme));
}

QByteArray Settings::layout() const
{
    return m_store ? m_store->value(LayoutKey).toByteArray() : QByteArray();
}

QByteArray Settings::geometry() const
{
    return m_store ? m_store->value(GeometryKey).toByteArray() : QByteArray();
}

void Settings::setLayout(const QByteArray& layout, const QByteArray& geometry) const
{
    if (!m_store) return;
    m_store->setValue(LayoutKey, layout);
    m_store->setValue(GeometryKey, geometry);
}

} // namespace plimsoll::app
