/// A piece of a template's text: a run of bytes, or a tag.
enum TemplateToken {
    case text(ArraySlice<UInt8>)
    case tag(TemplateTag)
}
