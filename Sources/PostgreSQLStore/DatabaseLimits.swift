/// How long each step may take, and how much may be under way.
package struct DatabaseLimits: Sendable {
    /// To connect to one host.
    package var connect = Duration.milliseconds(1_500)
    /// Until the server answers what was sent; then the connection is given up.
    package var answer = Duration.seconds(2)
    /// The same for what has to reach the disk, and a standby's.
    package var commit = Duration.seconds(5)
    /// That the proof of the primary waits for its answer, after it got none several times.
    package var longestPatience = Duration.seconds(60)
    /// That a call waits for a connection.
    package var queue = Duration.seconds(2)
    /// Between two attempts to connect: the first pause, which doubles, and the longest.
    package var firstPause = Duration.milliseconds(50)
    package var longestPause = Duration.milliseconds(500)
    /// Connections for what only reads, and for what waits for the server's disk.
    package var readers = 2
    package var writers = 2
    /// Calls in the pipeline of one connection.
    package var depth = 128
    /// Look-ups that one statement answers.
    package var lookUps = 64
    /// Calls and look-ups that were taken and not yet answered.
    package var calls = 4_096

    package init() {}
}
