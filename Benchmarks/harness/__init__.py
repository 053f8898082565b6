"""The parts of Benchmarks/run: servers, load, and one file for each measure."""
