import Glibc

/// The program: libFuzzer with the chosen target.
@main enum EntryPoint {
    static func main() {
        var count = CommandLine.argc
        // unsafe because libFuzzer gets the arguments as C does; nothing else uses them.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
        exit(unsafe runDriver(&count, &arguments, takeInput))
    }
}

/// Runs libFuzzer.
///
/// The main function of libFuzzer calls it too, but the package manager starts each program at that of its own target.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ takeInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The function that libFuzzer calls for each input.
///
/// - Parameters:
///   - start: the first byte, or nil if there is none.
///   - count: how many bytes there are.
/// - Returns: 0, which lets libFuzzer keep the input if it reached something new.
@_cdecl("LLVMFuzzerTestOneInput")
public func takeInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // unsafe because libFuzzer passes a pointer that is valid during the call; the bytes are copied first.
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    Target.chosen.take(input)
    return 0
}
