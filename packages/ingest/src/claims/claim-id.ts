import { sha256 } from "@bridle/core";
import { canonicalJson, isPlainObject, omitUndefined } from "@bridle/protocol";
import type { CandidateBody } from "../sources/candidate.ts";
import { normalForm, readWording } from "./wording/read-wording.ts";

/** Returns the id of a claim: ten hexadecimal digits computed from its content. */
export function claimIdOf(body: CandidateBody): string {
  return sha256(canonicalJson([body.kind, meaningOf(body)])).slice(0, 10);
}

/** Returns a value that is equal for candidates with the same meaning. Ignores words that do not affect the meaning. */
function meaningOf(body: CandidateBody): unknown {
  if (body.kind === "statement") return [normalForm(body.statement), subjectKey(body), body.tables.toSorted()];
  if (body.kind === "description") return [body.subject, normalForm(body.text)];
  if (body.kind === "join") return [slotOf(body), body.condition ?? null];
  return [slotOf(body), meaningOfEntry(body.entry)];
}

/**
 * Returns the words of the subject; empty if the statement itself names the subject, because documents may call one subject by several
 * names.
 */
function subjectKey({ subject, statement }: { readonly subject: string; readonly statement: string }): string {
  const own = readWording(subject, "").subject;
  const stems = readWording("", statement).stems;
  return Array.from(own).every((stem) => stems.has(stem)) ? "" : [...own].sort().join(" ");
}

/** Returns the slot in the files that a candidate fills. Candidates for one slot with different content are in conflict. */
export function slotOf(body: CandidateBody): string {
  if (body.kind === "statement") return claimIdOf(body);
  if (body.kind === "description") return canonicalJson(["description", body.subject]);
  if (body.kind === "model-part")
    return canonicalJson(["model", body.model.toLowerCase(), body.part, body.name.toLowerCase()]);
  const pairs = body.from.map((column, index) => canonicalJson([column, body.to[index] ?? ""]));
  return canonicalJson(["join", pairs.sort()]);
}

/** Keys of an entry that are for readers only and do not affect any computation. */
export const wordKeys: readonly string[] = ["description", "label", "synonyms", "format"];

function meaningOfEntry(entry: Readonly<Record<string, unknown>>): unknown {
  const kept = Object.entries(entry).filter(([key]) => !wordKeys.includes(key));
  return omitUndefined(Object.fromEntries(kept.filter(([, value]) => !isEmpty(value))));
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    (Array.isArray(value) && value.length === 0) ||
    (isPlainObject(value) && Object.keys(value).length === 0)
  );
}
