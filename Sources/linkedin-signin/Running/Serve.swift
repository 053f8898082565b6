import ArgumentParser
import EventLog
import FastCGI
import HTTP
import POSIX
import Settings
import SignIn

/// `serve`: answers the web server until a signal stops it.
struct Serve: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Respond to the web server until SIGTERM or SIGINT.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin serve [--site <site>] [--settings-file <file>]
              [--replace]
            """,
        discussion: """
            Listens at SIGNIN_LISTEN: a Unix socket by default, or a socket that systemd, \
            spawn-fcgi or lighttpd opened. If a web server starts the program over plain \
            CGI, the program responds to one request.

            At SIGHUP, serve reads the settings again. If the new settings have an error, \
            serve logs the error and keeps the old settings.

            Exits with 0 after SIGTERM or SIGINT; with 78 if the settings are wrong; with 69 \
            if the socket or the state directory cannot be used.

            To restart without a failed request, let systemd open the socket, or start the \
            new process with --replace while the old process runs.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Flag(
        help: "Take over the Unix socket of a running linkedin-signin, which finishes its requests and stops."
    )
    var replace = false

    /// Why a process with these arguments does not serve; nil if it does.
    static func objection(to arguments: [String]) -> String? {
        var options = arguments
        if options.first == configuration.commandName {
            options.removeFirst()
        } else if let first = options.first, !first.hasPrefix("-") {
            return "the command is “\(first)” and not serve"
        }
        do {
            _ = try parse(options)
            return nil
        } catch {
            return exitCode(for: error).isSuccess ? "the program only prints its help" : message(for: error)
        }
    }

    func perform() throws(StartFailure) {
        // Before a thread starts, because threads inherit the blocked signals.
        let signals = try stopSignals()
        let (place, sources, configuration) = try read()
        let notes = ErrorNotes()
        let sink = LogSink(configuration.logging, notes: notes)
        let measurements = Measurements(notes: notes, sink: sink)
        let log = Log(
            least: configuration.logging.least,
            count: measurements.count,
            adopt: sink.use,
            hasLine: sink.hasLine,
            write: sink.write
        )
        defer { sink.flush() }
        try Self.requireDescriptors()
        let program = try Program(configuration, log: log, measurements: measurements, takesOver: replace)
        if CGI.isCGI {
            program.answerOnce()
        } else {
            try program.serve(until: signals, with: sources) { () throws(ConfigurationError) in try place.sources() }
        }
    }

    /// libdispatch ends a process with SIGILL that has no descriptor left for it.
    private static func requireDescriptors() throws(StartFailure) {
        let needed = SiteService.descriptorReserve
        guard !CGI.isCGI, let limit = ProcessFigures().descriptorLimit, limit < needed else { return }
        throw .unavailable(
            "the program may open \(limit) file descriptors, and needs at least \(needed): raise LimitNOFILE= of the service, or "
                + "ulimit -n of the shell that starts the program"
        )
    }

    private func stopSignals() throws(StartFailure) -> StopSignals {
        do throws(FastCGIError) {
            return try StopSignals()
        } catch {
            throw .unavailable(error)
        }
    }

    private func read() throws(StartFailure) -> (SettingsPlace, SettingSources, Configuration) {
        do throws(ConfigurationError) {
            let place = try settings.place(isService: true)
            let sources = try place.sources()
            return (place, sources, try Configuration(sources))
        } catch {
            throw .misconfigured(error)
        }
    }
}
