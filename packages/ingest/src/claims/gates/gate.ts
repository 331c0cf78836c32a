/** A gate checks a candidate by rules alone, without a model. */
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
  /** Returns the headings above a position, outermost first. */
  headingsAt(position: number): readonly string[];
}

/** The services that gates need to know the project. */
export interface GateServices {
  readonly names: KnownNames;
  readonly removeSecrets: RemoveSecrets;
  /**
   * Explains in one sentence why a part of a metric model cannot be used together with the other parts; undefined if there is no such
   * reason.
   */
  checkModelPart?(
    part: ModelPartBody,
    siblings: readonly ModelPartBody[],
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** Explains in one sentence how the data contradict a join; undefined if they do not. */
  checkJoin?(join: Extract<CandidateBody, { kind: "join" }>, signal: AbortSignal): Promise<string | undefined>;
}

/** A candidate with the data that gates check. */
export interface GatedCandidate {
  readonly candidate: Candidate;
  readonly cited: CitedItem;
  /** The position of the quote. */
  readonly span: QuoteSpan;
  /** The quote as in the stored text. */
  readonly quote: string;
  /** The quote, extended to whole sentences. */
  readonly around: string;
  /** The candidate's text: a statement, a description, or the description of an entry. Empty if it has none. */
  readonly wording: string;
  /** Numbers in the results of SQL statements that the work unit ran. */
  readonly measured: ReadonlySet<string>;
  /** Other parts of metric models that were accepted before. */
  readonly siblings: readonly ModelPartBody[];
  readonly signal: AbortSignal;
}

/** Why a candidate is refused. This is shown to users and to the model that wrote the candidate, so it must not contain a secret. */
export interface GateRefusal {
  readonly gate: GateName;
  /** The reason and the remedy, in one or two sentences. */
  readonly reason: string;
}

/** The reason for a refusal; undefined if the candidate passes. */
type GateVerdict = string | undefined;

export interface Gate {
  readonly name: GateName;
  check(candidate: GatedCandidate, services: GateServices): GateVerdict | Promise<GateVerdict>;
}
