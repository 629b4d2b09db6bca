#pragma once

#include "app/window/tabs/documents.h"

#include <QSet>
#include <QTabWidget>

namespace plimsoll::app {

class Settings;

/// The window of the program: a page for each document, as tabs. With one document there is no bar, and it looks as
/// that page.
class DocumentTabs : public QTabWidget, public Documents
{
    Q_OBJECT

public:
    explicit DocumentTabs(const Settings& settings, QWidget* parent = nullptr);
    ~DocumentTabs() override;

    MainWindow& open(const QString& file, const Choices& choices = initialChoices(), const QString& plan = {}) override;
    void add() override;
    void closePage(MainWindow& page) override;
    void go(int by) override;
    void shareSettings() override;
    [[nodiscard]] Log& log() const override { return *m_log; }

    [[nodiscard]] MainWindow& page(int at) const;
    [[nodiscard]] MainWindow& current() const { return page(currentIndex()); }
    /// Of all pages: see MainWindow.
    void keepSafeIn(const QString& folder);
    void fitInto(QSize room);

protected:
    void tabInserted(int at) override;
    void tabRemoved(int at) override;
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(MainWindow& page);
    void showFront();
    void showName();
    void refresh(MainWindow& page);
    void setBusy(MainWindow& page, bool busy);
    void tellHowMany();
    void showMenu(MainWindow& page, QPoint at);

    const Settings& m_settings;
    Log* m_log;
    QString m_safe;            ///< Where copies lie.
    bool m_sharing = false;    ///< Settings.
    QSet<MainWindow*> m_busy;  ///< Something is under way.
    QSet<MainWindow*> m_ended; ///< It came to its end, and was not seen since.
};

} // namespace plimsoll::app
