/// An address that the provider gave for the member's page: https, or a simulator's on this machine.
enum ProfileLink {
    static func checked(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            let url = WebURL(String(text.prefix { $0 != "?" && $0 != "#" })), url.isSecure || url.isLoopback
        else { return nil }
        return text
    }
}
