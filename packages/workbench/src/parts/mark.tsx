export type MarkKind = "ok" | "bad" | "warn" | "busy" | "waiting" | "off";

const signs: Readonly<Record<MarkKind, string>> = { ok: "✓", bad: "✗", warn: "!", busy: "●", waiting: "?", off: "–" };

interface MarkProps {
  readonly kind: MarkKind;
  /** The word next to the sign. Omit it if the page already shows the same word there. */
  readonly label?: string;
}

/** The state of something, as a sign and a word. A colour is never the only indication. */
export function Mark({ kind, label }: MarkProps) {
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
