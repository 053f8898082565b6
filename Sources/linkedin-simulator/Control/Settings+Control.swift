extension Settings {
    /// Every setting by its name.
    var json: JSONObject {
        JSONObject(Setting.all.map { ($0.name, $0.get(self)) })
    }

    /// Changes a setting.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value; in a form every value is text.
    /// - Throws: When there is no such setting or the value is of the wrong kind.
    mutating func set(_ name: String, to value: JSON) throws(ControlError) {
        guard let setting = Setting.all.first(where: { $0.name == name }) else {
            throw .unknown("setting", name, known: Setting.all.map(\.name))
        }
        guard setting.set(&self, value) else { throw .invalid(name, value.text) }
    }
}
