/// A part of a parsed template.
indirect enum TemplateNode: Sendable {
    case literal([UInt8])
    case variable(String)
    case section(String, isInverted: Bool, [TemplateNode])
    case partial(String)
    case parent(String, blocks: [String: [TemplateNode]])
    case block(String, [TemplateNode])
}
