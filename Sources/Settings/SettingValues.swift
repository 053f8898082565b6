/// The values of all settings by their keys, such as `values.workers`; it shows none of them, because some are secret.
@dynamicMemberLookup
package struct SettingValues: Sendable, CustomStringConvertible, CustomReflectable {
    private struct Box<Value: Sendable>: Sendable {
        let value: Value
    }

    private var boxes: [String: any Sendable] = [:]

    package var description: String { "\(boxes.count) settings" }
    package var customMirror: Mirror { Mirror(reflecting: description) }

    package subscript<Value>(dynamicMember path: KeyPath<SettingKeys, SettingKey<Value>>) -> Value {
        let key = SettingKeys.all[keyPath: path]
        return value(of: key) ?? key.fallback
    }

    func value<Value>(of key: SettingKey<Value>) -> Value? {
        (boxes[key.setting.name] as? Box<Value>)?.value
    }

    mutating func set<Value>(_ value: Value, of key: SettingKey<Value>) {
        boxes[key.setting.name] = Box(value: value)
    }
}
