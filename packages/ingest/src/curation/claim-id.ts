import { sha256 } from "@bridle/core";
import { canonicalJson, isPlainObject, omitUndefined } from "@bridle/protocol";
import type { CandidateBody } from "../claims/candidate.ts";
import { normalForm, readWording } from "./wording/read-wording.ts";

/** The id of a claim: ten digits that follow from what it says. */
export function claimIdOf(body: CandidateBody): string {
  return sha256(canonicalJson([body.kind, meaningOf(body)])).slice(0, 10);
}

/** Equal for candidates that say the same, apart from words of which the meaning does not depend. */
function meaningOf(body: CandidateBody): unknown {
  if (body.kind === "statement") return [normalForm(body.statement), subjectKey(body), body.tables.toSorted()];
  if (body.kind === "description") return [body.subject, normalForm(body.text)];
  if (body.kind === "join") return [slotOf(body), body.condition ?? null];
  return [slotOf(body), meaningOfEntry(body.entry)];
}

/** Of a statement that names what it is about, nothing: documents call one thing by several names. */
function subjectKey({ subject, statement }: { readonly subject: string; readonly statement: string }): string {
  const own = readWording(subject, "").subject;
  const stems = readWording("", statement).stems;
  return Array.from(own).every((stem) => stems.has(stem)) ? "" : [...own].sort().join(" ");
}

/** The place in the files that a candidate is for: candidates of one place that say different things are in conflict. */
export function slotOf(body: CandidateBody): string {
  if (body.kind === "statement") return claimIdOf(body);
  if (body.kind === "description") return canonicalJson(["description", body.subject]);
  if (body.kind === "model-part")
    return canonicalJson(["model", body.model.toLowerCase(), body.part, body.name.toLowerCase()]);
  const pairs = body.from.map((column, index) => canonicalJson([column, body.to[index] ?? ""]));
  return canonicalJson(["join", pairs.sort()]);
}

/** Keys of an entry that people read and nothing computes with. */
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
