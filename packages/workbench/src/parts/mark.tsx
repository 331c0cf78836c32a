export type MarkKind = "ok" | "bad" | "warn" | "busy" | "waiting" | "off";

const signs: Readonly<Record<MarkKind, string>> = { ok: "✓", bad: "✗", warn: "!", busy: "●", waiting: "?", off: "–" };

interface MarkProps {
  readonly kind: MarkKind;
  /** Omit it if the same word is shown next to the mark. */
  readonly label?: string;
}

/** The state of something: a sign and a word, never only a color. */
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
