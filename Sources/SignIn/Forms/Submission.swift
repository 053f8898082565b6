import HTTP
import Sessions

/// What became of sending a form.
enum Submission: Sendable {
    case answered(ClientResponse)
    /// Nothing was sent; the form is still kept.
    case unsent(TransportError)
    /// Something may have been sent, so that it must not be sent again.
    case unanswered(TransportError)
    /// It is not there any more: it was sent, or nobody came for it in time.
    case gone
    /// It belongs to another address; it is still kept.
    case elsewhere
    case storeFailed(StoreError)
}
