import Settings

import class FoundationEssentials.JSONEncoder

extension Check {
    /// A setting or an environment variable, without secrets.
    struct ShownSetting: Encodable {
        let name: String
        /// Empty if it is not set.
        let value: String
        /// The file and line, the environment, or the default.
        let source: String

        var line: String { "\(name)=\(value)  # \(source)" }
    }

    /// What the operator has to do at LinkedIn.
    struct Duties {
        let redirectURL: String
        /// The products to add to the application.
        let products: [String]

        var text: String {
            let names = products.map { "“\($0)”" }.joined(separator: ", ")
            return "\nregister this redirect URL at LinkedIn: \(redirectURL)"
                + (products.isEmpty ? "" : "\nadd to the application at LinkedIn: \(names)")
        }
    }
}

extension Check.Findings {
    /// One JSON object.
    var json: String {
        let status = problems.isEmpty ? (notes.isEmpty ? "ok" : "note") : "error"
        let problems = problems.map { Body.Problem(subject: $0.subject, message: $0.message, place: $0.place) }
        let body = Body(
            status: status,
            problems: problems,
            notes: notes,
            settings: settings.isEmpty ? nil : settings,
            redirectURL: duties?.redirectURL,
            products: duties?.products
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        // Texts and lists always have a JSON form.
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private struct Body: Encodable {
        struct Problem: Encodable {
            let subject: String
            let message: String
            let place: String?
        }

        let status: String
        let problems: [Problem]
        let notes: [String]
        let settings: [Check.ShownSetting]?
        let redirectURL: String?
        let products: [String]?

        enum CodingKeys: String, CodingKey {
            case status, problems, notes, settings, products
            case redirectURL = "redirect_url"
        }
    }
}
