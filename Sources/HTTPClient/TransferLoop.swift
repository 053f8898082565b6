import CCurl
import Glibc
import HTTP
import POSIX

/// Runs all transfers, on the one thread that calls `run`.
final class TransferLoop {
    /// The maximum time to wait when libcurl has no deadline; the alarm ends any wait.
    private static let idleMilliseconds: CInt = 600_000

    private let mailbox: Mailbox
    private let configuration: CurlTransport.Configuration
    private var multi: MultiHandle?
    private var transfers: [EasyHandle.Identity: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []
    private let idleConnections = IdleConnections()
    private let observer: CurlTransport.Observer

    init(
        multi: MultiHandle,
        mailbox: Mailbox,
        configuration: CurlTransport.Configuration,
        observer: @escaping CurlTransport.Observer
    ) {
        self.multi = multi
        self.mailbox = mailbox
        self.configuration = configuration
        self.observer = observer
    }

    /// Works until the mailbox is stopped.
    func run() {
        if let multi {
            while begin(in: multi) { work(multi) }
            for call in mailbox.close() { answer(call, .failure(TransportError(.cancelled))) }
            endAll(in: multi, TransportError(.cancelled))
        }
        idleHandles = []
        multi = nil
        mailbox.end.announce()
    }

    /// Starts and cancels what the mailbox holds.
    ///
    /// A function of its own, so that no call, and no token in it, stays in memory while the loop waits.
    ///
    /// - Returns: Whether the mailbox is still open.
    private func begin(in multi: MultiHandle) -> Bool {
        guard let letters = mailbox.collect() else { return false }
        for call in letters.calls { start(call, in: multi) }
        for id in letters.cancelled { cancel(id, in: multi) }
        return true
    }

    private func work(_ multi: MultiHandle) {
        var code = multi.perform()
        while let (identity, result) = multi.nextEnded() {
            guard let transfer = transfers[identity] else { continue }
            if transfer.beginRestart(after: result) {
                restart(transfer, in: multi)
            } else {
                end(transfer, in: multi, transfer.outcome(result))
            }
        }
        if code == CURLM_OK { code = multi.wait(milliseconds: Self.idleMilliseconds) }
        if code != CURLM_OK {
            // The system refuses memory or poll(2). No call must wait for an answer that cannot arrive, and the thread
            // must not spin until the system recovers.
            endAll(in: multi, TransportError(.unreachable, detail: "libcurl cannot continue"))
            usleep(100_000)
        }
    }

    private func start(_ call: Call, in multi: MultiHandle) {
        guard let easy = idleHandles.popLast() ?? EasyHandle() else {
            return answer(call, .failure(TransportError(.unreachable, detail: "out of memory")))
        }
        let transfer = Transfer(call, on: easy, idle: idleConnections, configuration, observer: observer)
        transfers[easy.identity] = transfer
        add(transfer, to: multi)
    }

    /// Lets libcurl make a new connection for a transfer whose connection cannot be used.
    private func restart(_ transfer: Transfer, in multi: MultiHandle) {
        remove(transfer, from: multi)
        add(transfer, to: multi)
    }

    private func add(_ transfer: Transfer, to multi: MultiHandle) {
        do throws(TransportError) {
            try transfer.prepare(configuration)
            try multi.add(transfer.easy)
        } catch {
            end(transfer, in: multi, .failure(error))
        }
    }

    private func cancel(_ id: UInt64, in multi: MultiHandle) {
        guard let transfer = transfers.values.first(where: { $0.call.id == id }) else { return }
        end(transfer, in: multi, .failure(TransportError(.cancelled)))
    }

    private func endAll(in multi: MultiHandle, _ error: TransportError) {
        for transfer in transfers.values { end(transfer, in: multi, .failure(error)) }
    }

    private func end(_ transfer: Transfer, in multi: MultiHandle, _ outcome: Call.Outcome) {
        remove(transfer, from: multi)
        transfers[transfer.easy.identity] = nil
        transfer.easy.reset()
        // After a failure, libcurl may remember in the handle that a stream was refused, and repeat the next request.
        if case .success = outcome, idleHandles.count < configuration.maximumIdleConnections {
            idleHandles.append(transfer.easy)
        }
        answer(transfer.call, outcome.mapError(transfer.statingWhetherSent))
    }

    private func remove(_ transfer: Transfer, from multi: MultiHandle) {
        if let connection = transfer.easy.idleConnection {
            idleConnections.insert(socket: connection.socket, port: connection.port)
        }
        multi.remove(transfer.easy)
    }

    private func answer(_ call: Call, _ outcome: Call.Outcome) {
        mailbox.answered()
        call.continuation.resume(returning: outcome)
    }
}

/// The open and unused connections, so that one can be checked before it is used again.
///
/// libcurl notices that a connection was closed, but not that a close_notify or the rest of a wrong answer has arrived
/// on it. A POST would then be lost, or the rest would become the answer to the next request.
final class IdleConnections {
    /// The local port of each socket; the port of a socket that libcurl has closed is never looked up.
    private var ports: [CInt: CInt] = [:]

    /// Notes that a connection is unused from now on.
    func insert(socket: CInt, port: CInt) {
        ports[socket] = port
    }

    /// Takes a connection into use.
    ///
    /// - Parameter port: Its local port.
    /// - Returns: Whether no byte waits to be read; also true for a connection that other calls use, as HTTP/2 allows.
    func takeOut(port: CInt) -> Bool {
        guard let socket = ports.first(where: { $0.value == port })?.key else { return true }
        ports[socket] = nil
        var byte: UInt8 = 0
        // unsafe because the call writes to a local variable through a pointer. MSG_PEEK leaves the byte in the socket.
        let count = unsafe recv(socket, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }
}
