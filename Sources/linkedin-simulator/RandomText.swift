/// Random text in the alphabet of base64url.
enum RandomText {
    static func make(characters: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let bytes = (0..<characters).map { _ in alphabet[Int(generator.next() & 63)] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
