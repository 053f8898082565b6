"""What Benchmarks/run is made of: servers, load, and one file for each measure."""
