/** Collects the candidates about an item's current version from its parser, light extraction and a unit. */
import { z } from "zod";
import { extractionAnswer, extractionQuestion } from "../claims/extraction/extraction-prompt.ts";
import type { GateRefusal } from "../claims/gates/gate.ts";
import { unitAnswer } from "../claims/units/unit-answer.ts";
import type { IngestModels } from "../models/ingest-models.ts";
import type { Candidate } from "../sources/candidate.ts";
import type { StoredItem } from "../store/item-table.ts";
import type { SqliteAnswers } from "../store/sqlite-answers.ts";
import { aboutItem, type SortedItem } from "./item-reader.ts";

/** A candidate with the facts that the gates need. */
export interface FoundCandidate {
  readonly candidate: Candidate;
  /** Numbers that the candidate's unit measured. */
  readonly measured: ReadonlySet<string>;
  /** Set if the candidate was refused and then corrected, so that it is not checked again. */
  readonly replacedBecause?: GateRefusal | undefined;
  /** Whether the candidate is about an earlier version. If its quote is gone, the candidate is dropped. */
  readonly isEarlier: boolean;
}

export interface ItemCandidates {
  readonly found: readonly FoundCandidate[];
  /** Whether triage decided about every passage and all of them were read completely. */
  readonly isFinished: boolean;
  /** The keys of the answers about this version. */
  readonly keys: readonly string[];
}

interface CandidateSources {
  readonly answers: SqliteAnswers;
  readonly models: Pick<IngestModels, "modelOf">;
  readonly projected: readonly Candidate[];
}

export function candidatesOf(stored: StoredItem, sorted: SortedItem, sources: CandidateSources): ItemCandidates {
  const { answers, models, projected } = sources;
  const { item } = stored;
  const keys: string[] = [];
  let isFinished = !sorted.isUndecided;
  const found: FoundCandidate[] = projected.map((candidate) => ({ candidate, measured: new Set(), isEarlier: false }));
  for (const passage of sorted.light) {
    const { key } = extractionQuestion(passage, models.modelOf("extract"), aboutItem(item));
    const answer = answers.read(key);
    if (answer === undefined) isFinished = false;
    else keys.push(key);
    found.push(...statementsIn(answer, stored, passage.start, false));
  }
  if (sorted.unit !== undefined) {
    const { key } = sorted.unit;
    const answer = answers.read(key);
    if (answer === undefined) isFinished = false;
    else keys.push(key);
    found.push(...proposalsIn(answer ?? answers.readAttempt(key), stored, false));
  }
  if (!isFinished) found.push(...earlierCandidates(stored, answers));
  return { found: isFinished ? found : withoutRepetitions(found), isFinished, keys };
}

/**
 * Returns the candidates of the last completely read version, marked as earlier. They count until the current version has been read
 * completely.
 */
function earlierCandidates(stored: StoredItem, answers: SqliteAnswers): readonly FoundCandidate[] {
  return stored.keys.flatMap((key) => {
    const answer = answers.read(key);
    return Array.isArray(answer) ? statementsIn(answer, stored, 0, true) : proposalsIn(answer, stored, true);
  });
}

function withoutRepetitions(found: readonly FoundCandidate[]): readonly FoundCandidate[] {
  const idOf = ({ candidate: { body, evidence } }: FoundCandidate) => JSON.stringify([body, evidence.quote]);
  return [...new Map(found.toReversed().map((each) => [idOf(each), each])).values()].toReversed();
}

function statementsIn(
  answer: unknown,
  { item }: StoredItem,
  start: number,
  isEarlier: boolean,
): readonly FoundCandidate[] {
  const written = extractionAnswer.safeParse(answer);
  if (!written.success) return [];
  return written.data.map(({ quote, scores, since, ...statement }): FoundCandidate => {
    const day = z.iso.date().safeParse(since);
    const body = { kind: "statement" as const, ...statement, since: day.success ? day.data : undefined };
    const evidence = { source: item.source, item: item.id, quote, start };
    return { candidate: { body, evidence, origin: "extraction", scores }, measured: new Set(), isEarlier };
  });
}

function proposalsIn(answer: unknown, { item }: StoredItem, isEarlier: boolean): readonly FoundCandidate[] {
  const parsed = unitAnswer.safeParse(answer);
  if (!parsed.success) return [];
  return parsed.data.proposals.map(({ body, quote, start, measured, refusal, isReplaced }): FoundCandidate => {
    const evidence = { source: item.source, item: item.id, quote, start };
    const candidate: Candidate = { body, evidence, origin: "unit" };
    return { candidate, measured: new Set(measured), replacedBecause: isReplaced ? refusal : undefined, isEarlier };
  });
}
