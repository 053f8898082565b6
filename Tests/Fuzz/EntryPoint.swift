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
