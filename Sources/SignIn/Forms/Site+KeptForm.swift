import EventLog
import HTTP
import Pages
import Sessions
import Settings

import struct FoundationEssentials.Date

extension Site {
    /// Why a form is not kept; the raw value is the log's reason code.
    private enum Objection: String {
        /// Another site's page sent the form, or its origin is unknown. It would be sent with the member's cookies.
        case crossSite = "cross-site"
        case contentType = "content-type"
        case tooLarge = "too-large"
        /// The address is not a valid return path.
        case address
        case storeFull = "store-full"
        case shareTaken = "store-share"
        case busy
    }

    /// The outcome for a request that may be a form.
    enum KeepOutcome {
        case kept(Ticket)
        /// This client has too many kept forms.
        case tooMany
        /// The request is not a form, or could not be kept.
        case notKept
    }

    /// Keeps the form of a request without a session.
    ///
    /// A failure loses the form but does not stop the sign-in.
    func keepForm(_ request: Request) async -> KeepOutcome {
        guard let keptForms, request.method == .post, RequestKind(request) == .navigation else { return .notKept }
        if let objection = objection(to: request, limit: keptForms.limit) {
            return notKept(objection.rawValue, request)
        }
        let kept = KeptForm(
            uri: request.uri,
            contentType: request.headers[.contentType] ?? "",
            referer: ownReferer(of: request),
            body: request.body
        )
        let now = now()
        let expires = now.addingTimeInterval(Double(PendingSignIn.lifetime))
        do {
            let client = request.client
            let outcome = try await keptForms.writes.run(for: client) { () throws(StoreError) in
                try await keptForms.store.keep(kept, from: client.number, expires: expires, now: now)
            }
            switch outcome {
            case .kept(let ticket):
                log(LogEvent(.info, .formKept, of: request, fields: [("bytes", String(request.body.count))]))
                return .kept(ticket)
            case .shareTaken:
                _ = notKept(Objection.shareTaken.rawValue, request)
                return .tooMany
            case .full: return notKept(Objection.storeFull.rawValue, request)
            case nil: return notKept(Objection.busy.rawValue, request)
            }
        } catch {
            return notKept(error.reason, request)
        }
    }

    private func objection(to request: Request, limit: Int) -> Objection? {
        let type = request.mediaType
        if type != "application/x-www-form-urlencoded", type != "multipart/form-data" { return .contentType }
        if !mount.isFromThisOrigin(request) { return .crossSite }
        if request.isBodyOmitted || request.body.count > limit { return .tooLarge }
        return ReturnPath(request.uri) == nil ? .address : nil
    }

    private func notKept(_ reason: String, _ request: Request) -> KeepOutcome {
        let fields: [LogEvent.Field] = [("bytes", String(request.body.count))]
        log(LogEvent(.warning, .formNotKept, of: request, reason: reason, fields: fields))
        return .notKept
    }

    /// The referrer of a request if it is a page of this site; addresses of other sites are private.
    private func ownReferer(of request: Request) -> String? {
        guard let referer = request.headers[.referer], referer.utf8.count <= 4096,
            referer.hasPrefix(mount.origin + "/")
        else { return nil }
        return referer
    }
}

extension Request {
    /// The media type of the body, without parameters (RFC 9110 §8.3.1).
    var mediaType: String {
        let type = headers[.contentType] ?? ""
        return type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
