import Testing

/// Runs the tests.
///
/// With a file of this name, the package manager does not search the compiler's index for tests of XCTest, so that the tests
/// can be compiled without an index.
@main
struct Tests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
