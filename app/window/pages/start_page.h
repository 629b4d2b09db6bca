#pragma once

#include "app/window/pages/samples.h"

#include <QImage>
#include <QMap>
#include <QScrollArea>
#include <QStringList>

class QGridLayout;
class QVBoxLayout;
class QLabel;

namespace plimsoll::app {

class Card;
struct LeftCopy;

/// What is there while no graph is open: samples with their stories, recent files, and what can be dropped or pasted.
class StartPage : public QScrollArea
{
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    void setRecentFiles(const QStringList& files); ///< Missing ones are greyed.
    /// Copies of what windows had open that were killed, each with the file that it is of.
    void setLeft(const QList<LeftCopy>& copies); ///< The first few are shown.
    void setPasting(const QString& by);          ///< How a graph is pasted: "Ctrl+Shift+V".
    void setPictures(const QMap<QString, QImage>& bySample);

Q_SIGNALS:
    void openRequested();
    void tourRequested();
    void fileChosen(const QString& file);
    void sampleChosen(const QString& name);
    void forgetRequested();
    void forgetLeftRequested();
    void picturesWanted(); ///< It is seen for the first time, or in other colours.

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QLayout* makeHead();
    QLayout* makeSamples();
    Card* addCard(QGridLayout& grid, const Sample& sample, const QString& beneath);
    QLayout* makeShelf(const QList<Sample>& shelf);
    QLayout* makeBugs();
    QLayout* makeRecent();

    QVBoxLayout* m_recent = nullptr;
    QVBoxLayout* m_left = nullptr;
    QWidget* m_forget = nullptr;
    QLabel* m_formats = nullptr;
    QWidget* m_samplesHead = nullptr;
    QMap<QString, Card*> m_pictured; ///< By the sample's file.
    QWidget* m_page;
};

} // namespace plimsoll::app
