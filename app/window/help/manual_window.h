#pragma once

#include <QWidget>

class QTextBrowser;

namespace plimsoll::app {

/// The manual that comes with the application. It opens no network.
class ManualWindow : public QWidget
{
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent = nullptr);

    void showPage(const QString& page); ///< "index.html", "rules.html#overlap"

private:
    QTextBrowser* m_browser;
};

} // namespace plimsoll::app
