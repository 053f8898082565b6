import EventLog
import Pages
import Provider
import Settings
import SignIn

extension ProfileEndpoint {
    /// A note for the operator about a product without profile links; nil if the product has them.
    var linkNote: String? {
        guard !offersLink else { return nil }
        return "LINKEDIN_PRODUCT=\(product.rawValue) gives no profile links, so the home page does not offer them; "
            + "for links, add the product “\(LinkedInProduct.linkProductName)” to the application at LinkedIn and set "
            + "LINKEDIN_PRODUCT=\(LinkedInProduct.verified.rawValue)"
    }
}

extension LogEvent {
    /// The same for the log, once at the start; nil if the product has profile links.
    init?(aboutLinkOf source: ProfileEndpoint) {
        guard !source.offersLink else { return nil }
        let fields: [LogEvent.Field] = [
            ("product", source.product.rawValue), ("needs", LinkedInProduct.linkProductName),
        ]
        self.init(.info, .profileLinkNotOffered, fields: fields)
    }
}
