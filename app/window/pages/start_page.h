#pragma once

#include "app/window/pages/samples.h"

#include <QScrollArea>
#include <QStringList>

class QGridLayout;
class QVBoxLayout;
class QLabel;

namespace plimsoll::app {

/// What is there while no graph is open: samples with their stories, recent files, and what can be dropped or pasted.
class StartPage : public QScrollArea
{
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    void setRecentFiles(const QStringList& files); ///< Missing ones are greyed.

Q_SIGNALS:
    void openRequested();
    void fileChosen(const QString& file);
    void sampleChosen(const QString& name);
    void forgetRequested();

private:
    QLayout* makeHead();
    QLayout* makeSamples();
    QLayout* makeShelf(const QList<Sample>& shelf);
    QLayout* makeRecent();

    QVBoxLayout* m_recent = nullptr;
    QWidget* m_forget = nullptr;
    QWidget* m_samplesHead = nullptr;
    QWidget* m_page;
};

} // namespace plimsoll::app
