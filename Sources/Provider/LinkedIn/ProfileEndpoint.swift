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
}

extension ProfileEndpoint {
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
        let (year, month) = CivilDate.yearAndMonth(of: now)
        return versions.compactMap { version in
            guard let number = Int(version.prefix(6)), version.prefix(6).utf8.count == 6 else { return nil }
            return (version, year * 12 + month - (number / 100 * 12 + number % 100))
        }
    }
}

/// A date of the Gregorian calendar in UTC.
private enum CivilDate {
    /// Counts days from March 1 of the year 0, so that a leap day is the last day of its year.
    static func yearAndMonth(of date: Date) -> (year: Int, month: Int) {
        let days = Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) + 719_468
        let era = days / 146_097
        let day = days % 146_097
        let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month)
    }
}
