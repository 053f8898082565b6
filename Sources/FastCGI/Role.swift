/// What the server asks this program to be for a request; an open vocabulary (FastCGI 1.0 §6).
struct Role: RawRepresentable, Equatable {
    let rawValue: UInt16

    static let responder = Role(rawValue: 1)
    static let authorizer = Role(rawValue: 2)
    static let filter = Role(rawValue: 3)
}
