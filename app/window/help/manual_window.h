#pragma once

#include <QWidget>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace plimsoll::app {

/// The manual that comes with the application, with a search over all pages. It opens no network.
class ManualWindow : public QWidget
{
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent = nullptr);

    void showPage(const QString& page); ///< "index.html", "rules.html#overlap"

private:
    QLayout* makeBar();
    void search(const QString& words);
    void showHit(int row);

    QTextBrowser* m_browser;
    QLineEdit* m_field;
    QListWidget* m_hits; ///< Hidden while nothing is searched for.
};

/// The page of the manual about a view; with the place on it.
[[nodiscard]] QString manualPageOf(const QString& view);

} // namespace plimsoll::app
