import ArgumentParser

struct Serve: ParsableCommand {}
