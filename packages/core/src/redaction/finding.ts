/** Credentials that were found in a text, and the marks that replace them. */

/** A part of a text that contains a credential. */
export interface SecretFinding {
  readonly start: number;
  readonly end: number;
  /** The text that replaces it. */
  readonly mark: string;
  /** Whether the part is the value of a credential that was known before. */
  readonly known: boolean;
}

/** Matches every text that replaces a credential, such as `[secret SHOP_TOKEN]` or `[secret: 14 characters]`. */
export const secretMarks = /\[secret(?: [\w.-]{1,60})?(?:: \d+ characters?(?: with spaces or symbols)?)?\]/g;

/** Returns the mark for a credential without a name. */
export function markByLength(length: number): string {
  return `[secret: ${formatLength(length)}]`;
}

/**
 * Returns the mark for a known credential. It contains the length if the value could hold a command or a sentence, so that readers see how
 * much text is hidden.
 */
export function markKnown(name: string | undefined, value: string): string {
  const isWord = /^[\w.~+/=:@%-]+$/.test(value);
  const size = `: ${formatLength(value.length)}${isWord ? "" : " with spaces or symbols"}`;
  const plain = name?.replaceAll(/[^\w.-]/g, "").slice(0, 60) ?? "";
  return plain === "" ? `[secret${size}]` : `[secret ${plain}${isWord ? "" : size}]`;
}

function formatLength(length: number): string {
  return length === 1 ? "1 character" : `${length} characters`;
}

/** Whether a whole text is the mark of a replaced credential. */
export function isMark(text: string): boolean {
  return text.startsWith("[secret") && text.length < 200 && text.replace(secretMarks, "") === "";
}

/** Sorts findings and joins those that overlap. */
export function mergeFindings(findings: readonly SecretFinding[]): SecretFinding[] {
  const merged: SecretFinding[] = [];
  for (const next of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || next.start >= last.end) merged.push(next);
    else merged[merged.length - 1] = joinFindings(last, next);
  }
  return merged;
}

function joinFindings(a: SecretFinding, b: SecretFinding): SecretFinding {
  const end = Math.max(a.end, b.end);
  const [from] = [a, b].filter((each) => each.known);
  const whole = from ?? [a, b].find((each) => each.start === a.start && each.end === end);
  return { start: a.start, end, mark: whole?.mark ?? markByLength(end - a.start), known: a.known || b.known };
}

/** Replaces each finding in the text with its mark. `findings` are in order and do not overlap. */
export function replaceFindings(text: string, findings: readonly SecretFinding[]): string {
  if (findings.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, mark } of findings) {
    parts.push(text.slice(at, start), mark);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
