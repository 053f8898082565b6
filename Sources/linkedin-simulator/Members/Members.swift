/// The members of the simulated network; each has something that breaks careless software.
enum Members {
    static let all = [
        Member(
            number: 1,
            givenName: "Maya",
            familyName: "Lindqvist",
            email: "maya.lindqvist@example.com",
            hasPicture: true,
            language: "en",
            country: "US",
            vanityName: "maya-lindqvist",
            headline: "Keeps bridges standing"
        ),
        Member(
            number: 2,
            givenName: "伟",
            familyName: "张",
            email: "zhang.wei@example.com",
            hasPicture: true,
            language: "zh",
            country: "CN",
            vanityName: "zhang-wei-85b1b4",
            headline: "软件工程师"
        ),
        Member(
            number: 3,
            givenName: "Zoë 🚀",
            familyName: "O’Connor-Núñez 👩🏽‍🔬",
            email: "zoe+in@example.co.uk",
            hasPicture: true,
            language: "en",
            country: "GB",
            vanityName: "zoë-o-connor",
            headline: "Rockets ☕️ & chemistry"
        ),
        Member(
            number: 4,
            givenName: "Teguh",
            familyName: "",
            email: "teguh@example.id",
            hasPicture: false,
            language: "in",
            country: "ID",
            vanityName: "teguh",
            headline: "Has one name, and no access to the demo’s pages for members"
        ),
        Member(
            number: 5,
            givenName: "Олена",
            familyName: "Коваленко",
            email: nil,
            hasPicture: true,
            language: "uk",
            country: "UA",
            vanityName: "olena-kovalenko",
            headline: "Shares no e-mail address"
        ),
        Member(
            number: 6,
            givenName: "<img src=x onerror=alert(1)> \"Bobby\"",
            familyName: "O'Tables & </title><script>alert(2)</script>",
            email: "bobby.o'tables@example.com",
            hasPicture: true,
            language: "en",
            country: "US",
            vanityName: "bobby-tables",
            headline: "<b>Bold</b> & {{curly}} ${dollar}"
        ),
        Member(
            number: 7,
            givenName: "محمد",
            familyName: "الفارسي",
            email: "mohammed@example.ae",
            isEmailVerified: false,
            hasPicture: false,
            language: "ar",
            country: "AE",
            vanityName: "mohammed-al-farsi",
            headline: "مهندس معماري"
        ),
    ]

    static func number(_ number: Int) -> Member? {
        all.first { $0.number == number }
    }
}
