#include "app/window/tabs/compare_offer.h"
#include "tests/app/support/no_warnings.h"
#include "tests/app/window/tabs/opened_tabs.h"

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTimer>
#include <QToolButton>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

const QString Chain = QStringLiteral("mobile-chain.json");
const QString Block = QStringLiteral("residual-block.json");
const QString Two = QStringLiteral("two-outputs.json");

/// By Ctrl+O.
void choose(const test::OpenedTabs& app, const QStringList& files)
{
    QTimer::singleShot(0, qApp, [files] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        auto* field = dialog->findChild<QLineEdit*>();
        field->setText(u'"' + files.join(QStringLiteral("\" \"")) + u'"');
        QTest::keyClick(field, Qt::Key_Return);
    });
    app.action("file.open")->trigger();
}

CompareOffer* offer(const test::OpenedTabs& app, int at)
{
    return app.tabs.page(at).findChild<CompareOffer*>();
}

} // namespace

class CompareOfferTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void twoThatOpenTogetherMayBeCompared();
    void anOfferGoesWithWhatItIsOf();
    void sessionsAreOffered();
    void aTabWithNothingOpenIsTaken();
};

void CompareOfferTest::twoThatOpenTogetherMayBeCompared()
{
    test::OpenedTabs app;
    choose(app, {test::exampleFile(Chain), test::exampleFile(Block)});
    QCOMPARE(app.tabs.count(), 2);
    for (int at = 1; at >= 0; --at) {
        app.tabs.setCurrentIndex(at);
        QVERIFY(app.ready());
        QVERIFY(offer(app, at)->isVisible());
    }
    auto* compare = offer(app, 0)->findChild<QToolButton*>(QStringLiteral("compareOffered"));
    QCOMPARE(compare->text(), QStringLiteral("Compare %1 with %2").arg(Chain, Block));
    QVERIFY(!QApplication::activeModalWidget());
    QTest::mouseClick(compare, Qt::LeftButton);
    QVERIFY(app.bench().session.comparison().shown().other == app.tabs.page(1).bench().session.judged());
    QCOMPARE(app.bench().session.comparison().file(), test::exampleFile(Block));
    QTRY_VERIFY(!offer(app, 0) && !offer(app, 1));
    QVERIFY(app.tabs.page(1).bench().session.comparison().file().isEmpty());
}

void CompareOfferTest::anOfferGoesWithWhatItIsOf()
{
    test::OpenedTabs app;
    app.drop({test::exampleFile(Chain), test::exampleFile(Block)});
    QVERIFY(app.ready());
    QTest::mouseClick(offer(app, 1)->findChild<QToolButton*>(QStringLiteral("dismissOffer")), Qt::LeftButton);
    QTRY_VERIFY(!offer(app, 0) && !offer(app, 1));
    app.drop({test::exampleFile(Chain), test::exampleFile(Block)}); // both are open
    QVERIFY(offer(app, 0) && offer(app, 1));
    app.action("file.close")->trigger();
    QTRY_VERIFY(!offer(app, 0));
    app.drop({test::exampleFile(Chain), app.home.filePath(QStringLiteral("none.json"))});
    QVERIFY(offer(app, 0));
    QTRY_VERIFY(!offer(app, 0) && !offer(app, 1));
    app.drop({test::exampleFile(Chain), test::exampleFile(Block), test::exampleFile(Two)});
    for (int at = 0; at < app.tabs.count(); ++at)
        QVERIFY(!offer(app, at));
}

/// It is read on a worker before its tab has a file.
void CompareOfferTest::sessionsAreOffered()
{
    test::OpenedTabs app;
    QStringList files;
    for (const QString& example : {Chain, Block}) {
        files << app.home.filePath(example + QStringLiteral(".plimsoll"));
        QVERIFY(app.open(example));
        QVERIFY(app.set("inplace", "off"));
        auto* document = app.tabs.current().findChild<Document*>();
        QSignalSpy saved(document, &Document::saved);
        QVERIFY(document->save(files.last()).ok());
        QVERIFY(saved.wait());
        app.action("file.close")->trigger();
    }
    app.drop(files);
    QCOMPARE(app.tabs.count(), 2);
    for (int at = 0; at < 2; ++at)
        QTRY_VERIFY(app.tabs.page(at).bench().session.report());
    auto* compare = offer(app, 1)->findChild<QToolButton*>(QStringLiteral("compareOffered"));
    QCOMPARE(compare->text(), QStringLiteral("Compare %1.plimsoll with %2.plimsoll").arg(Block, Chain));
    QVERIFY(app.ready());
    QTest::mouseClick(compare, Qt::LeftButton);
    const Compared compared = app.bench().session.comparison().shown();
    QCOMPARE(compared.file, files.first());
    QVERIFY(compared.other && compared.other == app.tabs.page(0).bench().session.judged());
}

/// It says why its file is not open, and another one comes in its place.
void CompareOfferTest::aTabWithNothingOpenIsTaken()
{
    test::OpenedTabs app;
    const QString file = app.home.filePath(QStringLiteral("later.json"));
    app.drop({file});
    QTRY_VERIFY(app.bench().session.error());
    QVERIFY(QFile::copy(test::exampleFile(Two), file));
    app.drop({file, test::exampleFile(Chain)});
    QCOMPARE(app.tabs.count(), 2);
    QTRY_VERIFY(app.tabs.page(0).bench().session.report());
    QVERIFY(offer(app, 0));
}

QTEST_MAIN(CompareOfferTest)
#include "tst_compare_offer.moc"
