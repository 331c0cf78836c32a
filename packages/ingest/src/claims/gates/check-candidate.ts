/** Passes a candidate through all gates. */
import { type Candidate, type CandidateBody, candidateSchema, type StatementBody } from "../../sources/candidate.ts";
import type { CheckedCandidate } from "../checked-candidate.ts";
import { sentenceAround } from "../sentences.ts";
import { findCitation } from "./citation.ts";
import { durabilityGate } from "./durability-gate.ts";
import type { CitedItem, Gate, GatedCandidate, GateRefusal, GateServices, ModelPartBody } from "./gate.ts";
import { groundCandidate, groundingGate } from "./grounding-gate.ts";
import { hearsayGate } from "./hearsay-gate.ts";
import { identifierGate } from "./identifier-gate.ts";
import { identifiersIn } from "./identifiers-in.ts";
import { instructionGate } from "./instruction-gate.ts";
import { joinGate } from "./join-gate.ts";
import type { KnownNames } from "./known-names.ts";
import { numberGate } from "./number-gate.ts";
import { scopeGate } from "./scope-gate.ts";
import { secretGate } from "./secret-gate.ts";
import { sizeGate } from "./size-gate.ts";
import { sqlGate } from "./sql-gate.ts";

/** The gates after the schema and the citation, in order, cheap gates first. */
const gates: readonly Gate[] = [
  sizeGate,
  secretGate,
  instructionGate,
  hearsayGate,
  durabilityGate,
  numberGate,
  groundingGate,
  scopeGate,
  identifierGate,
  joinGate,
  sqlGate,
];

/** The result of checking a candidate. `needsProof`: a model has to confirm that the quote supports the candidate. */
export type CheckResult =
  | { readonly kind: "accepted"; readonly checked: CheckedCandidate; readonly needsProof: boolean }
  | { readonly kind: "refused"; readonly refusal: GateRefusal };

export interface CandidateCheckOptions {
  readonly services: GateServices;
  readonly signal: AbortSignal;
  readonly measured?: ReadonlySet<string> | undefined;
  readonly siblings?: readonly ModelPartBody[] | undefined;
}

/** Checks a candidate against the stored version of the cited item. Rejects only if the warehouse cannot be queried. */
export async function checkCandidate(
  written: Candidate,
  cited: CitedItem | undefined,
  { services, signal, measured = new Set(), siblings = [] }: CandidateCheckOptions,
): Promise<CheckResult> {
  const refuse = (gate: GateRefusal["gate"], reason: string): CheckResult => ({
    kind: "refused",
    refusal: { gate, reason },
  });
  const parsed = candidateSchema.safeParse(written);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse("schema", `${issue?.path.join(".") || "The candidate"}: ${issue?.message ?? "not valid"}.`);
  }
  if (cited === undefined)
    return refuse("citation", "There is no such item. Cite one of the items that you were given.");
  const candidate = parsed.data;
  const isMarked = (span: { readonly start: number; readonly end: number }) =>
    cited.marks.some(({ start, end }) => start < span.end && span.start < end);
  const citation = findCitation(candidate.evidence.quote, cited.text, { start: candidate.evidence.start, isMarked });
  if ("reason" in citation) return refuse("citation", citation.reason);
  const { original } = cited.text;
  const gated: GatedCandidate = {
    candidate,
    cited,
    span: citation.span,
    measured,
    siblings,
    signal,
    quote: original.slice(citation.span.start, citation.span.end),
    around: sentenceAround(original, citation.span),
    wording: wordingOf(candidate.body),
  };
  for (const gate of gates) {
    const reason = await gate.check(gated, services);
    if (reason !== undefined) return refuse(gate.name, reason);
  }
  return {
    kind: "accepted",
    checked: toChecked(gated, services),
    needsProof: groundCandidate(gated).kind === "paraphrase",
  };
}

/** Returns the text of a body; empty if it has none. */
export function wordingOf(body: CandidateBody): string {
  if (body.kind === "statement") return body.statement;
  if (body.kind === "description") return body.text;
  const { description } = body.kind === "model-part" ? body.entry : {};
  return typeof description === "string" ? description : "";
}

function toChecked(
  { candidate, cited, span, quote, wording }: GatedCandidate,
  { names }: GateServices,
): CheckedCandidate {
  const { source, id, version, title, location, authority, updatedAt } = cited.item;
  const { origin } = candidate;
  return {
    body: withIdentifiers(candidate.body, names),
    source: {
      source,
      item: id,
      version,
      title,
      location,
      authority,
      updatedAt,
      quote,
      start: span.start,
      end: span.end,
      wording: wording === "" ? quote : wording,
      origin,
    },
  };
}

/** Returns the body with full identifiers of tables and columns. Removes nonexistent tables from a statement. */
function withIdentifiers(body: CandidateBody, names: KnownNames): CandidateBody {
  const known = (name: string) => names.subjectId(name) ?? name;
  switch (body.kind) {
    case "statement":
      return { ...body, tables: tablesOf(body, names) };
    case "description":
      return { ...body, subject: known(body.subject) };
    case "join":
      return { ...body, from: body.from.map(known), to: body.to.map(known) };
    case "model-part":
      return body.table === undefined ? body : { ...body, table: known(body.table) };
  }
}

/**
 * Returns the tables in the candidate's list and those that its words name. Agents that may not see all of these tables must not read the
 * statement.
 */
function tablesOf({ subject, statement, tables }: StatementBody, names: KnownNames): string[] {
  const written = identifiersIn(`${subject}\n${statement}`, (name) => names.hasHead(name));
  return [...new Set([...tables, ...written].flatMap((name) => names.ownerId(name) ?? []))];
}
