import CCurl
import Glibc
import HTTP

/// Runs all transfers on the one thread that calls `run`.
final class TransferLoop {
    /// How long to wait when libcurl has no deadline of its own; the alarm ends any wait.
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
            while let letters = mailbox.collect() {
                for call in letters.calls { start(call, in: multi) }
                for id in letters.cancelled { cancel(id, in: multi) }
                work(multi)
            }
            for call in mailbox.close() { answer(call, .failure(TransportError(.cancelled))) }
            endAll(in: multi, TransportError(.cancelled))
        }
        idleHandles = []
        multi = nil
        mailbox.announceEnd()
    }

    private func work(_ multi: MultiHandle) {
        var code = multi.perform()
        while let (identity, result) = multi.nextEnded() {
            guard let transfer = transfers[identity] else { continue }
            if transfer.takeRestart(after: result) {
                restart(transfer, in: multi)
            } else {
                end(transfer, in: multi, transfer.outcome(result))
            }
        }
        if code == CURLM_OK { code = multi.wait(milliseconds: Self.idleMilliseconds) }
        if code != CURLM_OK {
            // The system refuses memory or to poll. Nobody may wait for answers that cannot come, and the thread must
            // not spin until it recovers.
            endAll(in: multi, TransportError(.unreachable, detail: "libcurl cannot go on"))
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

    /// Lets libcurl make a connection for a transfer that was given a spent one.
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
        // After a failure libcurl may remember in the handle that a stream was refused, and repeat the next request.
        if case .success = outcome, idleHandles.count < configuration.maximumIdleConnections {
            idleHandles.append(transfer.easy)
        }
        answer(transfer.call, outcome.mapError(transfer.completed))
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
