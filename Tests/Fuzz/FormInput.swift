import HTTP

/// A query or a form body: its fields are encoded and read again.
enum FormInput {
    static func take(_ input: [UInt8]) {
        guard let form = FormData(parsing: String(decoding: input, as: UTF8.self)) else { return }
        guard let again = FormData(parsing: form.encoded) else {
            preconditionFailure("the encoding of a form cannot be read")
        }
        precondition(bytes(again) == bytes(form), "the encoding of a form gives another form")
        for (name, value) in form.pairs {
            precondition(form[name] != .none, "a pair was not found")
            precondition(
                (name + value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f },
                "a control character was accepted"
            )
        }
    }

    /// Equal strings may differ in bytes.
    private static func bytes(_ form: FormData) -> [[[UInt8]]] {
        form.pairs.map { [Array($0.name.utf8), Array($0.value.utf8)] }
    }
}
