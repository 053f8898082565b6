import CFCGI
import Glibc
import HTTP
import POSIX
import Synchronization

/// One request of libfcgi with its connection: the only type that uses an `FCGX_Request`.
///
/// libfcgi gets descriptors on which it never waits: a socket that contains a complete request, or a file in memory. It
/// also never closes a connection, because its own function for finishing a request is not used.
///
/// @safe because the pointer does not leave this type. @unchecked Sendable because an exchange has one owner at a time:
/// a worker, or a task or a thread that returns it through the atomic state.
@safe
final class Exchange: LaterAnswer, @unchecked Sendable {
    private enum State: UInt8, AtomicRepresentable {
        /// The handler runs, and the worker that started it owns the exchange.
        case running
        /// The handler runs, and its task or thread owns the exchange.
        case suspended
        /// The handler has returned.
        case completed
        /// The server has ended and wants no answer.
        case abandoned
    }

    private let raw: UnsafeMutablePointer<FCGX_Request>
    private let state = Atomic(State.running)
    /// Takes the exchange if its handler returns after the worker has left it.
    private let completions: Completions
    var connection: Connection?
    var id = RequestID(0)
    var method = Method.get
    /// The number of the request's route.
    var route = RequestCounter.routes - 1
    /// When the request had arrived, in nanoseconds of `MonotonicClock`.
    var began = 0
    var keepsConnection = false
    var result: Result<Response, any Error>?
    /// Makes the answer of a handler without a task.
    private(set) var makeAnswer: (@Sendable () -> Response)?

    init(_ completions: Completions) {
        self.completions = completions
        // unsafe because libfcgi's request needs a fixed address; `deinit` frees it.
        unsafe raw = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe FCGX_InitRequest(raw, -1, 0)
    }

    deinit {
        // unsafe because it frees the memory behind the pointer, which no other object has.
        unsafe FCGX_Free(raw, 0)
        unsafe raw.deallocate()
    }

    /// Lets libfcgi parse the complete request that a descriptor contains.
    ///
    /// - Returns: False if libfcgi could not parse it; libfcgi has then closed the descriptor.
    func parse(from number: Int32) -> Bool {
        // unsafe because these are fields of libfcgi's structure. Unless the connection is to be kept, libfcgi would close
        // the descriptor; the call replaces this by what the request says.
        unsafe raw.pointee.ipcFd = number
        unsafe raw.pointee.keepConnection = 1
        guard unsafe FCGX_Accept_r(raw) == 0 else { return false }
        unsafe raw.pointee.keepConnection = 1
        return true
    }

    /// Whether the parameter stream ended early, so that libfcgi has parsed only a part of it.
    var isTruncated: Bool {
        // unsafe because libfcgi made the stream behind the pointer when it parsed.
        unsafe FCGX_GetError(raw.pointee.in) != 0
    }

    /// Passes each parameter as `NAME=value`; the bytes are valid during the call.
    func forEachVariable(_ body: (Span<UInt8>) -> Void) {
        // unsafe because libfcgi keeps parameters as C strings in an array that ends with a null pointer.
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
                // unsafe because libfcgi writes through a pointer, at most the number of bytes that there is room for.
                let read = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                    unsafe FCGX_GetStr(text.baseAddress, Int32(size), raw.pointee.in)
                }
                count = max(0, Int(read))
            }
        // unsafe because the stream is a pointer. The record that ends the stream must be read too, or it would remain
        // before the next request.
        _ = unsafe FCGX_GetChar(raw.pointee.in)
        return body
    }

    /// Writes a whole answer in records to a descriptor, and frees libfcgi's memory for the request.
    ///
    /// `note` is a line for the web server's error log.
    ///
    /// - Returns: False if the descriptor did not take all of it.
    func write(_ answer: [UInt8], note: String? = nil, to number: Int32) -> Bool {
        // unsafe because this is a field of libfcgi's structure, and because libfcgi reads the answer through a pointer
        // within the bounds of the array.
        unsafe raw.pointee.ipcFd = number
        if let note {
            // unsafe because libfcgi reads the note through a pointer to a C string. Before the answer, because nginx stops
            // reading after the last byte that it expects.
            _ = unsafe note.withCString { unsafe FCGX_PutS($0, raw.pointee.err) }
            _ = unsafe FCGX_FFlush(raw.pointee.err)
        }
        unsafe answer.withUnsafeBytes { bytes in
            let text = unsafe bytes.bindMemory(to: CChar.self)
            _ = unsafe FCGX_PutStr(text.baseAddress, Int32(text.count), raw.pointee.out)
        }
        // unsafe because the streams are pointers. The error stream first, so that both end in one record.
        let failure = unsafe FCGX_FClose(raw.pointee.err) | FCGX_FClose(raw.pointee.out)
        release()
        return failure == 0
    }

    /// Frees libfcgi's memory for the request, without an answer.
    func release() {
        // unsafe because libfcgi frees its memory behind the pointer, which stays valid.
        unsafe FCGX_Free(raw, 0)
        unsafe raw.pointee.ipcFd = -1
    }

    // MARK: - Ownership

    /// Runs the handler.
    nonisolated(nonsending) func run(_ responder: any Responder, _ request: Request) async {
        do {
            result = .success(try await responder.respond(to: request))
        } catch {
            result = .failure(error)
        }
        complete()
    }

    func give(_ make: @escaping @Sendable () -> Response) {
        makeAnswer = make
        complete()
    }

    /// Returns the exchange to a worker if its own worker has left it meanwhile.
    private func complete() {
        // Releasing, so that the worker that sees `completed` sees the answer; acquiring for the case that the caller got
        // the exchange.
        switch state.exchange(.completed, ordering: .acquiringAndReleasing) {
        case .suspended: completions.push(self)
        case .abandoned: makeAnswer = nil
        case .running, .completed: break
        }
    }

    /// Gives up an answer that no worker will take, and the function that makes it, which refers to this exchange.
    func abandon() {
        connection = nil
        if state.exchange(.abandoned, ordering: .acquiringAndReleasing) == .completed { makeAnswer = nil }
    }

    /// Whether the handler has returned.
    var isCompleted: Bool { state.load(ordering: .acquiring) == .completed }

    /// Leaves the exchange to its task; returns false if the handler has returned, and the worker still owns it.
    func suspend() -> Bool {
        state.exchange(.suspended, ordering: .acquiringAndReleasing) == .running
    }

    /// Begins a request.
    func begin(_ id: RequestID, _ connection: Connection) {
        self.id = id
        self.connection = connection
        began = MonotonicClock.nanoseconds
    }

    /// Prepares for the next request.
    func reset() {
        // Relaxed, because only the owner has access between two requests.
        state.store(.running, ordering: .relaxed)
        connection = nil
        method = .get
        route = RequestCounter.routes - 1
        result = nil
        makeAnswer = nil
    }
}

/// The exchanges whose handlers wait for something; the caller that removes one owns its connection.
final class SuspendedExchanges: Sendable {
    private struct Entry {
        let exchange: Exchange
        /// Nil if no task makes the answer.
        let task: Task<Void, Never>?
        let round: Int
    }

    private struct Contents {
        var entries: [ObjectIdentifier: Entry] = [:]
        var round = 0
    }

    private let contents = Mutex(Contents())

    func insert(_ exchange: Exchange, _ task: Task<Void, Never>?) {
        contents.withLock { contents in
            contents.entries[ObjectIdentifier(exchange)] = Entry(exchange: exchange, task: task, round: contents.round)
        }
    }

    /// Removes an exchange; returns false if it was removed before.
    func remove(_ exchange: Exchange) -> Bool {
        contents.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(exchange)) } != nil
    }

    var count: Int { contents.withLock { $0.entries.count } }

    /// Separates the exchanges so far from later ones.
    func beginRound() {
        contents.withLock { $0.round += 1 }
    }

    /// Whether an exchange from before the last `beginRound` still waits.
    var hasEarlierRound: Bool {
        contents.withLock { contents in contents.entries.values.contains { $0.round < contents.round } }
    }

    /// Cancels all remaining tasks and closes their connections; a handler ends when it notices the cancellation.
    func abandonAll() {
        let abandoned = contents.withLock { contents in
            defer { contents.entries = [:] }
            return Array(contents.entries.values)
        }
        for entry in abandoned {
            entry.exchange.abandon()
            entry.task?.cancel()
        }
    }
}

/// The exchanges whose handlers returned on Swift's shared pool or on another thread, on their way back to a worker.
///
/// These threads must not write to a socket: there are few of them, and each would wait for a peer.
final class Completions: Sendable {
    /// If more exchanges wait, one more worker is woken: the checks that waited for one statement of a database
    /// continue simultaneously, and each has a record to decrypt.
    private static let share = 8

    private let exchanges = Mutex<[Exchange]>([])
    private let wakeup: Wakeup
    var number: Int32 { wakeup.number }

    init() throws(FastCGIError) {
        wakeup = try Wakeup()
    }

    func push(_ exchange: Exchange) {
        let wakes = exchanges.withLock { exchanges in
            exchanges.append(exchange)
            return exchanges.count % Self.share == 1
        }
        // Otherwise a worker that was woken before takes this one too.
        if wakes { wakeup.signal() }
    }

    /// Wakes one more worker if many exchanges wait; for a worker that was woken.
    ///
    /// Signals that come before a worker has awoken wake one worker together.
    func shareWork() {
        if exchanges.withLock({ $0.count > Self.share }) { wakeup.signal() }
    }

    /// Gives up all exchanges.
    func removeAll() {
        exchanges.withLock { $0 = [] }
    }

    func pop() -> Exchange? {
        exchanges.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// The initialization of libfcgi, which happens once in a process.
enum Library {
    /// The result of `FCGX_Init`; the first access initializes the library.
    private static let status: Int32 = {
        // unsafe because the calls use the dispositions through pointers to local variables.
        var terminate = sigaction()
        var user = sigaction()
        unsafe sigaction(SIGTERM, nil, &terminate)
        unsafe sigaction(SIGUSR1, nil, &user)
        // Otherwise libfcgi waits two seconds for the peer to close first when it closes a connection.
        unsafe setenv("LIBFCGI_OS_CLOSE_POLL_TIMEOUT", "0", 1)
        let status = FCGX_Init()
        // The library's handlers would swallow both signals.
        unsafe sigaction(SIGTERM, &terminate, nil)
        unsafe sigaction(SIGUSR1, &user, nil)
        // Writing to a peer that is gone then fails, instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        return status
    }()

    static func start() throws(FastCGIError) {
        guard status == 0 else { throw FastCGIError("start libfcgi", SystemError("FCGX_Init", abs(status))) }
    }

    /// Whether the process was started for plain CGI.
    static var isCGI: Bool { FCGX_IsCGI() != 0 }
}
