// The flights in ROOT's RDataFrame, from C++: what rdataframe.py does, compiled.
//
//     c++ -std=c++17 -O2 examples/root/rdataframe.cpp -Iinclude -Ibindings/cpp/include $(root-config --cflags --libs)
//         -lROOTDataFrame -Ltarget/release -lcolstore -o rdataframe

#include <cstdio>

#include <TH1D.h>

#include <colstore/root/RColstoreDS.hxx>

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FLIGHTS.cstore\n", argv[0]);
        return 2;
    }
    auto flights = colstore::root::FromColstore(argv[1]); // a file, a directory, or a pattern
    auto departed = flights.Filter([](double delay) { return delay == delay; }, {"dep_delay"}); // NaN: it did not leave
    auto speed =
        departed.Filter([](double minutes) { return minutes > 0; }, {"air_time"})
            .Define("speed", [](Long64_t miles, double minutes) { return static_cast<double>(miles) / (minutes / 60); },
                    {"distance", "air_time"});

    // Nothing has been read yet: all of it is computed in one loop when the first result is looked at.
    auto count = departed.Count();
    auto delay = departed.Mean<double>("dep_delay");
    auto late = departed.Filter([](double minutes) { return minutes > 60; }, {"dep_delay"}).Count();
    auto fastest = speed.Max<double>("speed");
    auto histogram = departed.Histo1D<double>({"delay", "departure delay", 5, -60, 240}, "dep_delay");

    std::printf("%llu flights left, on average %.3f minutes late\n", *count, *delay);
    std::printf("%llu by more than an hour; the fastest flew %.1f miles an hour\n", *late, *fastest);
    for (int bin = 1; bin <= 5; ++bin) {
        std::printf("%4.0f minutes and more: %6.0f flights\n", histogram->GetXaxis()->GetBinLowEdge(bin),
                    histogram->GetBinContent(bin));
    }
    return 0;
}
