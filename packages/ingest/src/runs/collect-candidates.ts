import type { CheckedCandidate } from "../claims/checked-candidate.ts";
import type { ClaimSource } from "../claims/claim.ts";
import { type ProofQuestion, proofAnswer, proofKind, proofQuestion } from "../claims/extraction/proof-prompt.ts";
import { checkCandidate, wordingOf } from "../claims/gates/check-candidate.ts";
import type { OpenedItem } from "../claims/gates/cited-item.ts";
import type { GateRefusal, GateServices, ModelPartBody } from "../claims/gates/gate.ts";
import { type AskServices, askQuestions, type UnansweredQuestions } from "../models/ask-questions.ts";
import type { Candidate } from "../sources/candidate.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import type { StoredItem } from "../store/item-table.ts";
import type { SqliteAnswers } from "../store/sqlite-answers.ts";
import { describeMark } from "./describe-mark.ts";
import type { FoundInstruction, Rejection } from "./ingest-outcome.ts";
import { candidatesOf, type FoundCandidate } from "./item-candidates.ts";
import { aboutItem, type ItemReader, type ReadItem, type SortedItem } from "./item-reader.ts";

export interface CollectServices extends Omit<AskServices, "answers"> {
  readonly store: IngestStore;
  readonly answers: SqliteAnswers;
  readonly gates: GateServices;
  readonly reader: ItemReader;
  /** Whether a script gave the answers, so that later runs do not reuse them. */
  readonly isRehearsed?: boolean | undefined;
}

export interface CollectedCandidates {
  /** The candidates, sorted by source, item and quote. */
  readonly checked: readonly CheckedCandidate[];
  readonly rejected: readonly Rejection[];
  /** Texts found by triage that address an assistant. */
  readonly instructions: readonly FoundInstruction[];
  readonly unanswered: readonly UnansweredQuestions<ProofQuestion>[];
  readonly items: { readonly total: number; readonly finished: number };
  /** Items with missing or damaged text. */
  readonly unreadable: readonly { readonly source: string; readonly item: string }[];
}

/** An accepted candidate that still needs a model's confirmation. */
interface PendingProof {
  readonly checked: CheckedCandidate;
  readonly question: ProofQuestion;
}

/**
 * Checks the candidates of all items, and lets a model confirm paraphrases. The result depends only on stored texts and answers. Rejects if
 * the warehouse or the store cannot be used, or `signal` is aborted.
 */
export async function collectCandidates(services: CollectServices): Promise<CollectedCandidates> {
  return new Collecting(services).run();
}

class Collecting {
  readonly #services: CollectServices;
  readonly #checked: (CheckedCandidate | PendingProof)[] = [];
  readonly #siblings: ModelPartBody[] = [];
  readonly #rejected: Rejection[] = [];
  readonly #instructions: FoundInstruction[] = [];
  readonly #unreadable: { source: string; item: string }[] = [];
  readonly #finished: { stored: StoredItem; keys: readonly string[] }[] = [];
  #proofsBefore: ReadonlySet<string> | undefined;
  #total = 0;

  constructor(services: CollectServices) {
    this.#services = services;
  }

  async run(): Promise<CollectedCandidates> {
    const { store } = this.#services;
    for (const { name } of store.sources.list()) {
      const projected = Map.groupBy(store.sources.projected(name), ({ evidence }) => evidence.item);
      for (const stored of store.items.list(name)) await this.#collect(stored, projected.get(stored.item.id) ?? []);
    }
    const pending = this.#checked.filter((each) => "question" in each);
    const questions = pending.map(({ question }) => question);
    const unanswered = await askQuestions(questions, proofKind, this.#services);
    const checked = this.#checked.flatMap((each) => ("question" in each ? this.#proven(each) : [each]));
    this.#noteFinished(new Set(unanswered.flatMap(({ questions: open }) => open.map(({ key }) => key))));
    const items = { total: this.#total, finished: this.#finished.length };
    const [rejected, instructions, unreadable] = [this.#rejected, this.#instructions, this.#unreadable];
    return { checked, rejected, instructions, unanswered, items, unreadable };
  }

  async #collect(stored: StoredItem, projected: readonly Candidate[]): Promise<void> {
    const { reader, signal } = this.#services;
    signal.throwIfAborted();
    this.#total += 1;
    const read = reader.read(stored);
    if (read === undefined) {
      this.#unreadable.push({ source: stored.item.source, item: stored.item.id });
      return;
    }
    const sorted = reader.sort(read);
    this.#noteInstructions(read, sorted);
    const { found, isFinished, keys } = candidatesOf(stored, sorted, { ...this.#services, projected });
    if (isFinished) this.#finished.push({ stored, keys });
    const seen = new Set<string>();
    for (const each of found) await this.#check(each, sorted.opened, seen);
  }

  #noteInstructions({ opened, text, stored: { item } }: ReadItem, sorted: SortedItem): void {
    const known = new Set(opened.marks);
    const added = sorted.opened.marks.filter((mark) => !known.has(mark));
    this.#instructions.push(...added.map((mark) => describeMark(item, text, mark)));
  }

  async #check(found: FoundCandidate, opened: OpenedItem, seen: Set<string>): Promise<void> {
    const { gates, signal } = this.#services;
    const { candidate, measured, replacedBecause, isEarlier } = found;
    if (replacedBecause !== undefined) {
      if (!isEarlier) this.#reject(candidate, replacedBecause);
      return;
    }
    const siblings = this.#siblings;
    const result = await checkCandidate(candidate, opened, { services: gates, signal, measured, siblings });
    if (result.kind === "refused") {
      if (!isEarlier) this.#reject(candidate, result.refusal);
      return;
    }
    const { checked, needsProof } = result;
    const id = JSON.stringify([checked.body, checked.source.start, checked.source.end]);
    if (seen.has(id)) return;
    seen.add(id);
    if (checked.body.kind === "model-part") this.#siblings.push(checked.body);
    this.#checked.push(needsProof ? this.#pending(checked, opened) : checked);
  }

  #pending(checked: CheckedCandidate, opened: OpenedItem): PendingProof {
    const { quote, start, wording, title } = checked.source;
    const place = [title, ...opened.headingsAt(start)].join(" › ");
    const model = this.#services.models.modelOf("reconcile");
    return { checked, question: proofQuestion({ quote, place, statement: wording }, model, aboutItem(opened.item)) };
  }

  #proven({ checked, question }: PendingProof): readonly CheckedCandidate[] {
    const answer = proofAnswer.safeParse(this.#services.answers.read(question.key));
    if (answer.success && answer.data.says) return [checked];
    if (answer.success) {
      const { body, source } = checked;
      const evidence = { source: source.source, item: source.item, quote: source.quote };
      const reason = "Its words differ from the quote, and a check found that the quote does not support it.";
      this.#reject({ body, evidence, origin: source.origin }, { gate: "not_in_source", reason });
      return [];
    }
    return this.#wasProven(checked) ? [checked] : [];
  }

  /** Whether an earlier run confirmed the candidate, which counts if there is no new answer. */
  #wasProven({ source }: CheckedCandidate): boolean {
    this.#proofsBefore ??= new Set(
      this.#services.store.claims.list().flatMap(({ sources }) => sources.map((each) => proofOf(each))),
    );
    return this.#proofsBefore.has(proofOf(source));
  }

  #reject({ body, evidence }: Candidate, { gate, reason }: GateRefusal): void {
    const { removeSecrets } = this.#services;
    const { source, item, quote } = evidence;
    const said = wordingOf(body);
    const statement = said === "" ? JSON.stringify(body) : said;
    this.#rejected.push({
      gate,
      reason: removeSecrets(reason),
      source,
      item,
      quote: removeSecrets(quote).slice(0, maxShownLength),
      statement: removeSecrets(statement).slice(0, maxShownLength),
    });
  }

  /** Records the items that were read completely, so that a later incomplete version can fall back on them. */
  #noteFinished(open: ReadonlySet<string>): void {
    const { store } = this.#services;
    const unproven = new Set(
      this.#checked.flatMap((each) =>
        "question" in each && open.has(each.question.key) ? [`${each.question.source}\n${each.question.name}`] : [],
      ),
    );
    const finished = this.#finished.filter(({ stored: { item } }) => !unproven.has(`${item.source}\n${item.id}`));
    this.#finished.splice(0, this.#finished.length, ...finished);
    if (this.#services.isRehearsed) return;
    store.together(() => {
      for (const { stored, keys } of finished) {
        const isNoted = stored.built === stored.item.version && JSON.stringify(stored.keys) === JSON.stringify(keys);
        if (!isNoted) store.items.setBuilt(stored.item, keys);
      }
    });
  }
}

/** Returns a key for what a proof is about. */
function proofOf({ title, quote, wording }: ClaimSource): string {
  return JSON.stringify([title, quote, wording]);
}

const maxShownLength = 600;
