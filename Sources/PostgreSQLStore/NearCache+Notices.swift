package import Sessions

extension NearCache {
    /// Handles a notification: another machine removed a session, or notifications may be lost.
    package func receive(_ notice: DatabaseClient.Notice) {
        switch notice {
        case .message(let text):
            let ids = text.split(separator: " ").compactMap { SessionID(digits: String($0)) }
            for id in ids { drop(id.bytes) }
        case .lost: dropAll()
        }
    }
}
