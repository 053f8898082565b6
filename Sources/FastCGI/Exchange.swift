import CFCGI
import Glibc
import HTTP
import Synchronization

/// One request of libfcgi's with the connection it came by: the only code that touches an `FCGX_Request`.
///
/// libfcgi is given descriptors on which it never waits: a socket that holds a whole request, or a file in memory. It
/// never gets to close one of ours either, because its own way of finishing is not used.
///
/// @safe because the pointer never leaves this file, and @unchecked Sendable because an exchange has one owner at a
/// time: a worker, or a task that hands it back through the atomic state below.
@safe
final class Exchange: @unchecked Sendable {
    private enum State: UInt8, AtomicRepresentable {
        case running
        case suspended
        case completed
    }

    private let raw: UnsafeMutablePointer<FCGX_Request>
    private let state = Atomic(State.running)
    var connection: Connection?
    var id = RequestID(0)
    var method = Method.get
    var keepsConnection = false
    var result: Result<Response, any Error>?

    init() {
        // unsafe because libfcgi's request needs an address of its own; it is freed in deinit.
        unsafe raw = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe FCGX_InitRequest(raw, -1, 0)
    }

    deinit {
        // unsafe because this is the one place where the pointer ends; nobody else has it.
        unsafe FCGX_Free(raw, 0)
        unsafe raw.deallocate()
    }

    /// Lets libfcgi parse the request that a descriptor holds whole; false if it could not, and closed the descriptor.
    func parse(from number: Int32) -> Bool {
        // unsafe because these are libfcgi's own fields. Without the second it would close the descriptor at once.
        unsafe raw.pointee.ipcFd = number
        unsafe raw.pointee.keepConnection = 1
        guard unsafe FCGX_Accept_r(raw) == 0 else { return false }
        unsafe raw.pointee.keepConnection = 1
        return true
    }

    /// The parameter stream broke off: what libfcgi parsed is only a part of it.
    var isTruncated: Bool {
        // unsafe because the stream is libfcgi's, which made it when it parsed.
        unsafe FCGX_GetError(raw.pointee.in) != 0
    }

    /// Shows each parameter as `NAME=value`, valid during the call.
    func forEachVariable(_ body: (Span<UInt8>) -> Void) {
        // unsafe because libfcgi keeps parameters as C strings behind an array that ends with a null pointer.
        guard var next = unsafe raw.pointee.envp else { return }
        while let variable = unsafe next.pointee {
            let bytes = unsafe UnsafeRawBufferPointer(start: variable, count: strlen(variable))
            unsafe body(bytes.bindMemory(to: UInt8.self).span)
            unsafe next += 1
        }
    }

    /// Reads the body, whose size is known, and the end of its stream.
    func readBody(size: Int) -> [UInt8] {
        let body =
            size == 0
            ? []
            : unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                // unsafe because libfcgi writes through a pointer, at most as many bytes as there is room for.
                let read = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                    unsafe FCGX_GetStr(text.baseAddress, Int32(size), raw.pointee.in)
                }
                count = max(0, Int(read))
            }
        // The record that ends the stream must be taken too, or it would stand before the next request.
        _ = unsafe FCGX_GetChar(raw.pointee.in)
        return body
    }

    /// Writes a whole answer in records to a descriptor and frees what libfcgi keeps for the request.
    ///
    /// - Returns: False if the descriptor did not take all of it.
    func write(_ answer: [UInt8], to number: Int32) -> Bool {
        // unsafe because this is libfcgi's own field, and because it reads the answer by a pointer within the array.
        unsafe raw.pointee.ipcFd = number
        unsafe answer.withUnsafeBytes { bytes in
            let text = unsafe bytes.bindMemory(to: CChar.self)
            _ = unsafe FCGX_PutStr(text.baseAddress, Int32(text.count), raw.pointee.out)
        }
        // The error stream goes first: then both end in one record.
        let failure = unsafe FCGX_FClose(raw.pointee.err) | FCGX_FClose(raw.pointee.out)
        release()
        return failure == 0
    }

    /// Frees what libfcgi keeps for the request, without answering it.
    func release() {
        // unsafe because libfcgi frees what it keeps behind the pointer, which stays ours.
        unsafe FCGX_Free(raw, 0)
        unsafe raw.pointee.ipcFd = -1
    }
}

extension Exchange {
    /// Asks the handler; tells `completed` if that took longer than the worker stayed.
    nonisolated(nonsending) func run(
        _ handler: Handler,
        _ request: Request,
        completed: @Sendable (Exchange) -> Void
    ) async {
        do {
            result = .success(try await handler(request))
        } catch {
            result = .failure(error)
        }
        if state.exchange(.completed, ordering: .acquiringAndReleasing) == .suspended { completed(self) }
    }

    /// The handler has answered already.
    var isCompleted: Bool { state.load(ordering: .acquiring) == .completed }

    /// Leaves the exchange to its task; false if that has ended meanwhile, and the exchange is still the worker's.
    func suspend() -> Bool {
        state.exchange(.suspended, ordering: .acquiringAndReleasing) == .running
    }

    /// Prepares for the next request.
    func reset() {
        state.store(.running, ordering: .relaxed)
        connection = nil
        method = .get
        result = nil
    }
}
