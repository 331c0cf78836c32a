/** The state of something: a sign and a word, never a colour alone. */
export type MarkKind = "ok" | "bad" | "warn" | "busy" | "waiting" | "off";

const signs: Readonly<Record<MarkKind, string>> = { ok: "✓", bad: "✗", warn: "!", busy: "●", waiting: "?", off: "–" };

export function Mark({ kind, label }: { kind: MarkKind; label: string }) {
  return (
    <span className={`mark mark-${kind}`} role="img" aria-label={label} title={label}>
      {signs[kind]}
    </span>
  );
}
