#include "tests/support/catalogue_text.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace plimsoll::test {
namespace {

std::vector<std::string> parts(const std::string& text, char separator)
{
    std::vector<std::string> list;
    std::istringstream words(text);
    for (std::string part; std::getline(words, part, separator);)
        list.push_back(part);
    return list;
}

std::vector<std::int64_t> numbers(const std::string& text)
{
    std::vector<std::int64_t> list;
    for (const std::string& part : parts(text, ','))
        list.push_back(std::stoll(part));
    return list;
}

std::vector<StorageType> storages(const std::string& text)
{
    std::vector<StorageType> list;
    for (const std::string& part : parts(text, ','))
        list.push_back(storageTypeFromName(part).value());
    return list;
}

void takeOption(Implementation& offer, const std::string& key, const std::string& value)
{
    if (key == "in") {
        offer.inputLayouts = parts(value, ',');
    } else if (key == "out") {
        offer.outputLayouts = parts(value, ',');
    } else if (key == "takes") {
        offer.inputStorageTypes = storages(value);
    } else if (key == "leaves") {
        offer.outputStorageTypes = storages(value);
    } else if (key == "bytes") {
        offer.requiredOutputBytes = numbers(value);
    } else if (key == "inbytes") {
        offer.requiredInputBytes = numbers(value);
    } else if (key == "device") {
        offer.device = value;
    } else if (key == "ms") {
        offer.timeMs = std::stod(value);
    } else if (key == "scratch") {
        offer.scratchpadBytes = std::stoll(value);
    } else if (key == "align") {
        offer.alignment = std::stoll(value);
    } else if (key == "inplace") {
        offer.inPlaceKnown = true;
        for (const std::string& pair : parts(value, '+'))
            offer.inPlace.push_back({std::stoi(pair), std::stoi(pair.substr(pair.find(':') + 1))});
    } else if (key == "with") {
        offer.fuses = parts(value, ',');
    } else if (key == "weights") {
        const std::vector<std::string> words = parts(value, ':');
        offer.prepared.push_back({std::stoi(words.at(0)), words.at(1), std::stoll(words.at(2)), {}, {}});
    } else {
        std::fprintf(stderr, "no such option of an offer: %s\n", key.c_str());
        std::abort();
    }
}

} // namespace

Catalogue catalogueFromText(std::string_view text)
{
    Catalogue catalogue;
    std::istringstream lines {std::string(text.begin(), text.end())};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string node;
        Implementation offer;
        if (!(words >> node >> offer.backend >> offer.name)) continue;
        for (std::string option; words >> option;)
            takeOption(offer, option.substr(0, option.find('=')), option.substr(option.find('=') + 1));
        catalogue.offers[node].push_back(std::move(offer));
    }
    return catalogue;
}

} // namespace plimsoll::test
