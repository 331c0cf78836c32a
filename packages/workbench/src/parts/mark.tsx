/** The state of something: a sign and a word, never a colour alone. */
export type MarkKind = "ok" | "bad" | "warn" | "busy" | "waiting" | "off";

const signs: Readonly<Record<MarkKind, string>> = { ok: "✓", bad: "✗", warn: "!", busy: "●", waiting: "?", off: "–" };

export function Mark({ kind, label }: { kind: MarkKind /** Nothing if the word stands beside it. */; label?: string }) {
  if (label === undefined) {
    return (
      <span className={`mark mark-${kind}`} aria-hidden="true">
        {signs[kind]}
      </span>
    );
  }
  return (
    <span className={`mark mark-${kind}`} role="img" aria-label={label} title={label}>
      {signs[kind]}
    </span>
  );
}
