import Pages
import Settings
import SignIn

extension PageRenderer {
    /// Makes the pages of a configuration; an error in a template is an error of the configuration.
    init(_ configuration: Configuration) throws(ConfigurationError) {
        do {
            try self.init(
                templateDirectory: configuration.templateDirectory,
                paths: Paths(configuration.mount, home: configuration.home),
                siteName: configuration.siteName,
                pictureSources: configuration.pictureSources,
                formTargets: [configuration.afterSignOut.origin].compactMap(\.self)
            )
        } catch {
            throw ConfigurationError(
                problems: error.faults.map { .init(subject: "SIGNIN_TEMPLATES", message: $0.description) }
            )
        }
    }
}
