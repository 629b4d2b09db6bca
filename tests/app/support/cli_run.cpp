#include "tests/app/support/cli_run.h"

#include <QJsonDocument>
#include <QProcess>

namespace plimsoll::test {
namespace {

Finished finish(QProcess& process, const QStringList& arguments, const QByteArray& input)
{
    process.start(QStringLiteral(PLIMSOLL_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, {}, process.errorString().toUtf8()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

QJsonObject Finished::json() const
{
    return QJsonDocument::fromJson(out).object();
}

Finished runCli(const QStringList& arguments, const QByteArray& input)
{
    QProcess process;
    return finish(process, arguments, input);
}

Finished runCliWith(const Variables& variables, const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : variables)
        environment.insert(QLatin1String(name), QLatin1String(value));
    QProcess process;
    process.setProcessEnvironment(environment);
    return finish(process, arguments, {});
}

} // namespace plimsoll::test
