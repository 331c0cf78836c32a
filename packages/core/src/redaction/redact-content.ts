/** Redacts the texts that an event log stores. */
import { type ArtifactContent, isTooDeep } from "@bridle/protocol";
import type { Redactor } from "./redactor.ts";

/** Stands for the already redacted pieces while the text around them is searched. */
const markOfPiece = JSON.stringify("\0logged\0");

const unchanged = new WeakSet<object>();

/** Whether these pieces were stored unchanged. */
export function isStoredUnchanged(pieces: readonly unknown[]): boolean {
  return unchanged.has(pieces);
}

/** Redacts JSON field by field, anything else as a text. Redacted pieces stay unchanged. */
export function redactContent(content: ArtifactContent, redactor: Redactor): string {
  if (typeof content === "string") return redactText(content, redactor);
  const logged = content.flatMap((piece) => (typeof piece === "string" ? [] : [piece.logged]));
  const withMarks = content.map((piece) => (typeof piece === "string" ? piece : markOfPiece)).join("");
  const redacted = redactText(withMarks, redactor);
  const clean = redacted.split(markOfPiece);
  if (clean.length !== logged.length + 1) return redactWhole(content, redactor); // another text contains the mark
  if (redacted === withMarks) unchanged.add(content);
  return clean.map((text, index) => text + (logged[index] ?? "")).join("");
}

function redactWhole(content: Exclude<ArtifactContent, string>, redactor: Redactor): string {
  const whole = content.map((piece) => (typeof piece === "string" ? piece : piece.logged)).join("");
  const redacted = redactText(whole, redactor);
  if (redacted === whole) unchanged.add(content);
  return redacted;
}

function redactText(content: string, redactor: Redactor): string {
  const json = /^[[{]/.test(content) ? parsed(content) : undefined;
  if (json === undefined) return redactor.text(content);
  const clean = redactor.value(json);
  return clean === json ? content : JSON.stringify(clean);
}

function parsed(content: string): unknown {
  try {
    const value: unknown = JSON.parse(content);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined; // it only looked like JSON
  }
}
