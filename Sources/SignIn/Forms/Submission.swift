import HTTP
import Sessions

/// The outcome of sending a form.
enum Submission: Sendable {
    case answered(ClientResponse)
    /// Nothing was sent; the form is still kept.
    case unsent(TransportError)
    /// The application may have received the form, so it must not be sent again.
    case unanswered(TransportError)
    /// The form is no longer kept: it was sent, or it has expired.
    case gone
    /// The form belongs to another address; it is still kept.
    case elsewhere
    case storeFailed(StoreError)
}
