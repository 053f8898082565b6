extension LighttpdConfiguration {
    /// What is refused in every location: identity headers of clients, and paths that an application could read as
    /// another path.
    var protection: String {
        #"""
        # Refused everywhere (403): a request that brings an identity header, and a path that some applications read as one
        # with dot segments (/a/..;/b, /a/..\b). No path ends with two slashes here, so url.access-allow allows none; a
        # url.access-deny of your site neither undoes this nor is undone.
        # CGI makes HTTP_X_AUTH_SUBJECT of X!Auth!Subject too, which is not in the list: an application must not take
        # the member from there.
        $HTTP["url"] =~ "[/\\]\.{1,2}(?:[/?;#\\]|\z)" { url.access-allow = ( "//" ) }
        \#(Self.identityHeaders.map { "$REQUEST_HEADER[\"\($0)\"] != \"\" { url.access-allow = ( \"//\" ) }" }.joined(separator: "\n"))
        """#
    }

    /// The spellings of identity headers that CGI turns into `HTTP_X_AUTH_SUBJECT` and that are likely.
    private static let identityHeaders: [String] = {
        let separators = ["-", "_", "."]
        return ["Subject", "Email", "Name"].flatMap { name in
            separators.flatMap { first in separators.map { second in "X\(first)Auth\(second)\(name)" } }
        }
    }()
}
