/** A gate checks a candidate by rules alone. Models do not influence its decision. */
import type { Candidate, CandidateBody } from "../../sources/candidate.ts";
import type { InstructionMark } from "../../sources/instruction-mark.ts";
import type { StagedItem } from "../../sources/source.ts";
import type { RemoveSecrets } from "../../staging/remove-secrets.ts";
import type { QuotedText, QuoteSpan } from "../quoted-text.ts";
import type { GateName } from "./gate-names.ts";
import type { KnownNames } from "./known-names.ts";

export type ModelPartBody = Extract<CandidateBody, { kind: "model-part" }>;

/** The stored version of an item that a candidate cites. */
export interface CitedItem {
  readonly item: StagedItem;
  readonly text: QuotedText;
  readonly marks: readonly InstructionMark[];
  /** The headings above a position, outermost first. */
  headingsAt(position: number): readonly string[];
}

/** The services that gates need to know the project. */
export interface GateServices {
  readonly names: KnownNames;
  readonly removeSecrets: RemoveSecrets;
  /** Why a part of a metric model cannot be used together with the other parts, as one sentence; undefined if it runs. */
  checkModelPart?(
    part: ModelPartBody,
    siblings: readonly ModelPartBody[],
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** Why the data contradict a join, as one sentence; undefined if they do not. */
  checkJoin?(join: Extract<CandidateBody, { kind: "join" }>, signal: AbortSignal): Promise<string | undefined>;
}

/** A candidate with the data that gates check. */
export interface GatedCandidate {
  readonly candidate: Candidate;
  readonly cited: CitedItem;
  /** The position of its quote. */
  readonly span: QuoteSpan;
  /** The quote as in the stored text. */
  readonly quote: string;
  /** The quote, extended to whole sentences. */
  readonly around: string;
  /** Its text: a statement, a description, or the description of an entry. Empty if it has none. */
  readonly wording: string;
  /** Numbers in the results of SQL statements that the unit ran. */
  readonly measured: ReadonlySet<string>;
  /** Other parts of metric models that were accepted before. */
  readonly siblings: readonly ModelPartBody[];
  readonly signal: AbortSignal;
}

/** Why a candidate is refused. Shown to the model that wrote it and to users, so it must not contain a secret. */
export interface GateRefusal {
  readonly gate: GateName;
  /** The reason and the remedy, in one or two sentences. */
  readonly reason: string;
}

/** The reason of a refusal; undefined if the candidate passes. */
type GateVerdict = string | undefined;

export interface Gate {
  readonly name: GateName;
  check(candidate: GatedCandidate, services: GateServices): GateVerdict | Promise<GateVerdict>;
}
