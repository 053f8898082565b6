import Pages

extension PageRenderer {
    /// The built-in pages, made once for all test cases: making them takes longer than most test cases.
    static func shared() throws -> PageRenderer { try builtIn.get() }

    private static let builtIn = Result { () throws(TemplateError) in try PageRenderer(templateDirectory: nil) }
}
