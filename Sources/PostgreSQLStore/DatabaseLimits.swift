/// The maximum time of each step, and the maximum number of concurrent calls.
package struct DatabaseLimits: Sendable {
    /// The time to connect to one host.
    package var connect = Duration.milliseconds(1_500)
    /// The time until the server answers a call; then the connection is closed.
    package var answer = Duration.seconds(2)
    /// The same for a call that must reach the disk of the server, and of a standby.
    package var commit = Duration.seconds(5)
    /// The maximum age of the last acknowledged proof of the primary if a write is to be sent.
    package var acknowledgement = Duration.seconds(2)
    /// The time that a call waits for a connection.
    package var queue = Duration.seconds(2)
    /// The pause between two attempts to connect: the first one, which doubles, and the longest.
    package var firstPause = Duration.milliseconds(50)
    package var longestPause = Duration.milliseconds(500)
    /// The number of connections for calls that only read, and for calls that wait for the server's disk.
    package var readers = 2
    package var writers = 2
    /// The number of additional connections for writes, which are opened while each of the others waits for the disk: the
    /// server makes the commits of several connections durable simultaneously.
    package var spareWriters = 6
    /// The maximum age of the last acknowledged write if one of these connections is to be opened.
    package var flow = Duration.seconds(1)
    /// The maximum number of calls in the pipeline of one connection.
    package var depth = 128
    /// The maximum number of look-ups that one statement answers.
    package var lookUps = 64
    /// While one statement with look-ups is under way, another one is sent when so many wait, or after this time: few large
    /// statements cost server and program less than many small ones.
    package var crowd = 16
    package var crowdPatience = Duration.milliseconds(5)
    /// The maximum number of calls and look-ups without an answer.
    package var calls = 4_096

    package init() {}
}
