/// A language that every page is written in, by its BCP 47 tag.
package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh-Hans"
}
