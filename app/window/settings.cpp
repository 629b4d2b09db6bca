#include "app/window/settings.h"

#include "app/window/language.h"

#include <QApplication>
#include <QFileInfo>

namespace plimsoll::app {
namespace {

constexpr int MostRecentFiles = 20;
const QString RecentKey = QStringLiteral("recentFiles");
const QString ThemeKey = QStringLiteral("theme");
const QString LanguageKey = QStringLiteral("language");
const QString ChosenKey = QStringLiteral("chosen/");
const QString MotionKey = QStringLiteral("reducedMotion");
const QString CompactKey = QStringLiteral("compactSteps");
const QString ExactBytesKey = QStringLiteral("exactBytes");
const QString DecimalAddressesKey = QStringLiteral("decimalAddresses");
const QString LogKey = QStringLiteral("keepLog");
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

QString Settings::language() const
{
    const QString kept = m_store ? m_store->value(LanguageKey).toString() : QString();
    return isLanguage(kept) ? kept : QString::fromLatin1(Languages.front());
}

void Settings::setLanguage(const QString& language) const
{
    if (m_store) m_store->setValue(LanguageKey, language);
}

QVariantMap Settings::named(const QString& kind) const
{
    return m_store ? m_store->value(kind).toMap() : QVariantMap();
}

void Settings::setNamed(const QString& kind, const QVariantMap& things) const
{
    if (m_store) m_store->setValue(kind, things);
}

QString Settings::chosen(const QString& group) const
{
    return m_store ? m_store->value(ChosenKey + group).toString() : QString();
}

void Settings::setChosen(const QString& group, const QString& action) const
{
    if (m_store) m_store->setValue(ChosenKey + group, action);
}

bool Settings::reducedMotion() const
{
    const bool still = !QApplication::isEffectEnabled(Qt::UI_General);
    return m_store ? m_store->value(MotionKey, still).toBool() : still;
}

void Settings::setReducedMotion(bool reduced) const
{
    if (m_store) m_store->setValue(MotionKey, reduced);
}

bool Settings::compactSteps() const
{
    return m_store && m_store->value(CompactKey).toBool();
}

void Settings::setCompactSteps(bool compact) const
{
    if (m_store) m_store->setValue(CompactKey, compact);
}

NumberForm Settings::numberForm() const
{
    if (!m_store) return {};
    return {m_store->value(ExactBytesKey).toBool(), m_store->value(DecimalAddressesKey).toBool()};
}

void Settings::setNumberForm(NumberForm form) const
{
    if (!m_store) return;
    m_store->setValue(ExactBytesKey, form.exactBytes);
    m_store->setValue(DecimalAddressesKey, form.decimalAddresses);
}

bool Settings::keepsLog() const
{
    return m_store && m_store->value(LogKey).toBool();
}

void Settings::setKeepsLog(bool keeps) const
{
    if (m_store) m_store->setValue(LogKey, keeps);
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
