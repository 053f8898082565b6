package import struct FoundationEssentials.Date

/// The endpoint for profiles; the product determines its URL and the format of its response.
package struct ProfileEndpoint: Sendable, Equatable {
    package let product: LinkedInProduct
    /// The URL of the endpoint.
    package let address: String
    /// Values for the `LinkedIn-Version` header, in order of preference; only the API under `/rest` needs one.
    package let versions: [String]

    package init(product: LinkedInProduct, address: String, versions: [String]) {
        self.product = product
        self.address = address
        self.versions = versions
    }

    /// Whether the product gives profile links.
    package var offersLink: Bool { product != .openid }

    /// Returns warnings of `check` about versions that LinkedIn has probably retired.
    package func oldVersions(at now: Date) -> [String] {
        versionAges(at: now).filter { $0.months >= 12 }.map { age in
            "LINKEDIN_VERSION: \(age.version) is at least a year old, and LinkedIn retires versions after about a year; "
                + "put a newer version first"
        }
    }

    /// Returns the versions that are sent, each with the months since its release; none for a product without versions.
    package func versionAges(at now: Date) -> [(version: String, months: Int)] {
        guard product == .verified else { return [] }
        let date = now.formatted(.iso8601).split(separator: "-").compactMap { Int($0) }
        return versions.compactMap { version in
            guard let number = Int(version.prefix(6)), version.prefix(6).utf8.count == 6 else { return nil }
            return (version, date[0] * 12 + date[1] - (number / 100 * 12 + number % 100))
        }
    }
}
