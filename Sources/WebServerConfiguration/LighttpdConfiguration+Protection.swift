extension LighttpdConfiguration {
    /// The lines that reject requests in every location: those with identity headers, and those with paths that an
    /// application could read as another path.
    var protection: String {
        #"""
        # Rejected everywhere with 403: requests with an identity header, and paths that some applications read as other paths,
        # because they see dot segments in /a/..;/b or read \ as /. No path ends with two slashes here, so this
        # url.access-allow admits no path. This url.access-allow and a url.access-deny of your site do not affect each other.
        # CGI also turns X!Auth!Subject into HTTP_X_AUTH_SUBJECT, and that spelling is not in the list: an application must not
        # read the identity from HTTP_X_AUTH_SUBJECT.
        $HTTP["url"] =~ "\\|/\.{1,2}(?:[/?;#]|\z)" {
            url.access-allow = ( "//" )
            # Without these lines, an error handler of your site would get the rejected path.
            server.error-handler = ""
            server.error-handler-404 = ""
        }
        \#(identityHeaders.map { "$REQUEST_HEADER[\"\($0)\"] != \"\" { url.access-allow = ( \"//\" ) }" }.joined(separator: "\n"))
        """#
    }

    /// Likely spellings of identity headers that CGI turns into `HTTP_X_AUTH_SUBJECT`.
    private var identityHeaders: [String] {
        let separators = ["-", "_", "."]
        return front.identities.flatMap { field in
            let parts = field.header.split(separator: "-", maxSplits: 2)
            return separators.flatMap { first in
                separators.map { second in
                    "\(parts[0])\(first)\(parts[1])\(second)\(parts[2].replacing("-", with: second))"
                }
            }
        }
    }
}
