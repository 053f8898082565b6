extension NginxConfiguration {
    var limitZone: String {
        #"""
        # One address may begin or finish so many sign-ins, which are two requests each: enough for an office behind one
        # address in the morning. Behind a proxy of yours, set real_ip_header too, or all visitors share one limit.
        limit_req_zone $binary_remote_addr zone=linkedin_signin:1m rate=5r/s;
        """#
    }

    /// The location of a route that is limited.
    func limited(_ route: String, also lines: String = "") -> String {
        #"""
        location = \#(front.mount.path(route)) {
            set $signin_action "";
            limit_req zone=linkedin_signin burst=60 nodelay;
            error_page 429 @later;
        \#(lines.indented(by: 4))    fastcgi_pass linkedin_signin;
        }
        """#
    }

    var pastLimit: String {
        let strict = "    add_header Strict-Transport-Security \"max-age=31536000\" always;\n"
        return #"""
            # Past the limit: nothing is lost, for neither the sign-in nor its code was seen. The access log tells of it.
            limit_req_status 429;
            limit_req_log_level info;
            location @later {
                default_type "text/html; charset=utf-8";
            \#(front.origin.isSecure ? strict : "")    add_header Cache-Control no-store always;
                add_header Referrer-Policy no-referrer always;
                add_header Retry-After 5 always;
                return 429 "<!DOCTYPE html>
            <html lang=en><title>Please wait</title><meta name=viewport content='width=device-width'>
            <link rel=icon href=data:,>
            <p>Too many sign-ins from your network at once. Please wait a few seconds, then reload this page.
            <p lang=zh-Hans>您所在网络的登录请求过多。请稍等几秒，然后刷新此页。
            ";
            }
            """#
    }
}
