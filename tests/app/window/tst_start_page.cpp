#include "app/session/document/document.h"
#include "app/window/help/tour.h"
#include "app/window/pages/card.h"
#include "app/window/pages/opening_page.h"
#include "app/window/pages/samples.h"
#include "app/window/pages/start_page.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QKeySequence>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QThread>

#include <algorithm>
#include <atomic>

using namespace plimsoll;
using namespace plimsoll::app;

/// What is there before a graph is open.
class StartPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void samplesShowTheirPlans()
    {
        test::OpenWindow app;
        app.window.show();
        const auto drawn = [&](const QString& file) {
            const QImage image = app.child<Card>(("sample:" + file).toUtf8().constData())->picture();
            return !image.isNull() && image.pixelColor(image.width() / 2, image.height() - 6) != image.pixelColor(0, 0);
        };
        QTRY_VERIFY_WITH_TIMEOUT(drawn(QStringLiteral("two-outputs.json")), 20000);
        QVERIFY(drawn(QStringLiteral("residual-block.json")));
        QVERIFY(!drawn(QStringLiteral("broken-cycle.json"))); // has no plan
    }

    void theNewestOfWhatWasLeftStandsFirst()
    {
        StartPage page;
        QList<LeftCopy> copies;
        for (const char* name : {"newest", "b", "c", "d", "e", "oldest"})
            copies.push_back({QStringLiteral("/copies/%1").arg(99 - copies.size()), QString::fromLatin1(name)});
        page.setLeft(copies);
        const QList<Card*> cards = page.findChildren<Card*>(QStringLiteral("left"));
        QCOMPARE(cards.size(), 4);
        QCOMPARE(cards.front()->toolTip(), QStringLiteral("newest"));
        const auto labels = page.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(
            labels, [](const QLabel* label) { return label->text() == QStringLiteral("and 2 older ones"); }));
    }

    void picturesFollowAThemeThatWasChosenElsewhere()
    {
        test::OpenWindow app;
        app.window.show();
        const auto* card = app.child<Card>("sample:two-outputs.json");
        QTRY_VERIFY_WITH_TIMEOUT(!card->picture().isNull(), 20000);
        const QImage light = card->picture();
        app.window.open(sampleFile(QStringLiteral("two-outputs.json")));
        QVERIFY(app.ready());
        app.window.actions().at("view.dark")->trigger();
        QCoreApplication::processEvents();
        app.window.actions().at("file.close")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!card->picture().isNull(), 20000);
        QVERIFY(card->picture() != light);
        app.window.actions().at("view.light")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(card->picture() == light, 20000);
    }

    void dialogsBeginWhereTheUsersFilesAre()
    {
        const QString sample = sampleFile(QStringLiteral("two-outputs.json"));
        const QString own = QCoreApplication::applicationFilePath();
        QCOMPARE(ownFolder({own, sample}), QFileInfo(own).absolutePath());
        QCOMPARE(ownFolder({sample, QStringLiteral("/no/such/folder/a.json"), own}), QFileInfo(own).absolutePath());
        QCOMPARE(ownFolder({sample, QString()}), QDir::homePath());
    }
    void everyBugStandsOnOneShelf()
    {
        test::OpenWindow app;
        QCOMPARE(realBugs().size(), app.window.findChildren<Card*>(QRegularExpression("^sample:gallery/")).size());
        QVERIFY(!realBugs().isEmpty());
        const auto* card = app.child<Card>("sample:gallery/paddle-17833.json");
        QVERIFY(card->accessibleDescription().contains(QStringLiteral("oneDNN")));
    }

    void theTourOpensASampleAndGoesThroughFiveStops()
    {
        test::OpenWindow app;
        app.window.resize(1366, 768);
        app.window.show();
        QTest::mouseClick(app.child<QPushButton>("takeTour"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(app.child<Tour>("tour"), 20000);
        auto* tour = app.child<Tour>("tour");
        for (int stop = 1; stop <= 5; ++stop) {
            QVERIFY(tour->isVisible());
            QVERIFY(app.window.rect().contains(tour->geometry()));
            for (const QLabel* label : tour->findChildren<QLabel*>())
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            QTest::keyClick(app.window.focusWidget(), Qt::Key_Space);
        }
        QTRY_VERIFY(!app.child<Tour>("tour"));
    }

    void textsNameTheKeysThatAreSet()
    {
        test::OpenWindow app;
        app.window.show();
        const auto saysOne = [&](const QWidget* parent, const QString& text) {
            const auto labels = parent->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(text); });
        };
        const ActionSet& actions = app.window.actions();
        QVERIFY(saysOne(app.window.findChild<StartPage*>(), QStringLiteral("Ctrl+Shift+V")));
        ActionSet::setKeys(*actions.at("file.paste"), {QKeySequence(Qt::CTRL | Qt::Key_B)});
        QVERIFY(saysOne(app.window.findChild<StartPage*>(), QStringLiteral("Ctrl+B")));
        ActionSet::setKeys(*actions.at("file.paste"), {});
        QVERIFY(saysOne(app.window.findChild<StartPage*>(), QStringLiteral("File › Paste graph")));

        ActionSet::setKeys(*actions.at("edit.undo"), {QKeySequence(Qt::Key_F9)});
        app.window.open(sampleFile(QStringLiteral("two-outputs.json")));
        QVERIFY(app.ready());
        startTour(app.window, app.bench);
        app.child<Tour>("tour")->show(2);
        QVERIFY(saysOne(app.child<Tour>("tour"), QStringLiteral("F9 takes it back")));
    }

    void whatTakesAWhileToOpenSaysSo()
    {
        std::atomic<bool> held = true;
        Engine engine;
        engine.read = [&held, read = engine.read](const std::filesystem::path& file, const Context& context) {
            while (held && !context.stopped())
                QThread::msleep(1);
            return read(file, context);
        };
        test::OpenWindow app(engine);
        app.window.show();
        auto* page = app.window.findChild<OpeningPage*>();
        app.window.open(sampleFile(QStringLiteral("two-outputs.json")));
        QTRY_VERIFY(page->isVisible());
        QCOMPARE(app.child<QLabel>("openingTitle")->text(), QStringLiteral("Opening two-outputs.json"));
        QCOMPARE(app.child<QLabel>("openingDoing")->text(), QStringLiteral("Reading two-outputs.json"));
        QTest::mouseClick(app.child<QPushButton>("stopOpening"), Qt::LeftButton);
        QVERIFY(app.window.findChild<StartPage*>()->isVisible());
        QVERIFY(app.bench.session.file().isEmpty());

        app.window.open(sampleFile(QStringLiteral("two-outputs.json")));
        QTRY_VERIFY(page->isVisible());
        held = false;
        QVERIFY(app.ready());
        QVERIFY(!page->isVisible());
        QTest::qWait(400); // what was opened at once is not asked for later
        app.window.open(sampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        QTest::qWait(400);
        QVERIFY(app.window.panes().pictures->isVisible());
    }

    void escapeEndsTheTour()
    {
        test::OpenWindow app;
        app.window.show();
        app.window.open(sampleFile(QStringLiteral("two-outputs.json")));
        QVERIFY(app.ready());
        startTour(app.window, app.bench);
        QTest::keyClick(app.child<Tour>("tour"), Qt::Key_Escape);
        QTRY_VERIFY(!app.child<Tour>("tour"));
        QVERIFY(app.bench.session.report()); // which stays
    }
};

QTEST_MAIN(StartPageTest)
#include "tst_start_page.moc"
