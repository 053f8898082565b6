/// The script of a button that copies the text of the element `link`.
///
/// It contains no character that HTML escapes, because the policy allows exactly these bytes. Without scripts or
/// `navigator.clipboard`, the button stays hidden and the visitor can select the text.
enum CopyScript {
    static let text = """
        const link = document.getElementById(`link`), copy = document.getElementById(`copy`);
        copy.hidden = !navigator.clipboard;
        copy.onclick = function () {
          navigator.clipboard.writeText(link.value || link.textContent).then(
            function () { document.getElementById(`copied`).textContent = copy.dataset.done },
            function () { getSelection().selectAllChildren(link) })
        };
        """
}
