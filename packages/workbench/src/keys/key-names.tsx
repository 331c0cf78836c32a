const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const names: Readonly<Record<string, string>> = {
  mod: isMac ? "⌘" : "Ctrl",
  alt: isMac ? "⌥" : "Alt",
  Enter: "Enter",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** Keys in their common notation, such as `Ctrl K` for `mod+k`. */
export function KeyNames({ keys }: { keys: string }) {
  const parts = keys.split(/ |(?<=.)\+/);
  return (
    <span className="keys">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice, and the order never changes
        <kbd key={index}>{names[part] ?? (part.length === 1 && keys.includes("+") ? part.toUpperCase() : part)}</kbd>
      ))}
    </span>
  );
}
