// RColstoreDS from a compiled program: filter, define, sums, means, a histogram, with types checked when compiling.
// Started as PROGRAM THREADS FILE..., prints a line of JSON a file, which run.py compares with NumPy.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include <TH1D.h>
#include <TROOT.h>

#include <colstore/root/RColstoreDS.hxx>

int main(int argc, char **argv)
{
    if (const int threads = std::atoi(argv[1]); threads > 1) {
        ROOT::EnableImplicitMT(static_cast<unsigned>(threads));
    }
    for (int i = 2; i < argc; ++i) {
        auto frame = colstore::root::FromColstore(argv[i]);
        auto some = frame.Filter([](double x, int i4) { return x > 0.5 && i4 % 2 == 0; }, {"x", "i4"});
        auto more = frame.Define("y", [](double x, int i4, bool b) { return b ? x * 2 + i4 : 0.0; }, {"x", "i4", "b1"});
        auto count = some.Count();
        auto sum = some.Sum<double>("x");
        auto mean = some.Mean<float>("f2");
        auto defined = more.Sum<double>("y");
        auto last = frame.Max<Long64_t>("t");
        auto ids = frame.Sum<long>("id");
        auto largest = frame.Max<ULong64_t>("u8");
        auto histogram = frame.Histo1D<double>({"h", "h", 50, -3, 3}, "x");
        std::printf(
            "{\"count\": %llu, \"sum\": %.17g, \"mean\": %.17g, \"defined\": %.17g, \"t\": %lld, \"ids\": %lld, "
            "\"u8\": %llu, \"bins\": [",
            *count, *sum, *mean, *defined, static_cast<long long>(*last), static_cast<long long>(*ids),
            static_cast<unsigned long long>(*largest));
        for (int bin = 1; bin <= 50; ++bin) {
            std::printf("%s%.0f", bin > 1 ? ", " : "", histogram->GetBinContent(bin));
        }
        std::printf("], \"loops\": %u}\n", frame.GetNRuns());

        // A second loop over the same frame, a part of it, and what is refused.
        if (*frame.Filter([](double x) { return x > 0; }, {"x"}).Count() > *frame.Count()) {
            return 1;
        }
        try {
            frame.Filter([](float x) { return x > 0; }, {"x"}).Count().GetValue();
            std::printf("a column of double was given as float\n");
            return 1;
        } catch (const std::runtime_error &) {
        }
    }
    return 0;
}
