/** Runs ingest: fetch, store, triage, read, check. */
import { BridleError } from "@bridle/protocol";
import type { GateServices } from "../claims/gates/gate.ts";
import type { KnownNames } from "../claims/gates/known-names.ts";
import { askAboutItems } from "./ask-about-items.ts";
import { type CollectedCandidates, collectCandidates } from "./collect-candidates.ts";
import { describeOutcome } from "./describe-outcome.ts";
import { type FetchedSources, fetchSources } from "./fetch-sources.ts";
import type { IngestOptions, IngestResult } from "./ingest-options.ts";
import type { IngestOutcome } from "./ingest-outcome.ts";
import { rememberChecks } from "./remembered-checks.ts";
import { RunContext } from "./run-context.ts";

/**
 * Reads sources into checked candidates, and passes them to `finish`. The outcome lists failures of a source, a model or a unit, and the
 * next run tries these again. Answers are stored immediately.
 *
 * @throws IngestRunningError if another ingest is in progress; IngestStoreError if the store cannot be used; ConfigError if the budget
 * cannot be enforced or a model is misconfigured; the warehouse's BridleError.
 */
export async function ingest<T>(options: IngestOptions<T>): Promise<IngestResult<T>> {
  const { store, now = Date.now } = options;
  const run = store.runs.begin(new Date(now()));
  let outcome: IngestOutcome | undefined;
  try {
    const result = await new IngestRun(options, run).perform();
    outcome = result.outcome;
    return result;
  } finally {
    store.items.showAll();
    endRun(options, run, outcome);
  }
}

/** Ends the run in the store. Ignores a full disk: the run has failed already, and the next run detects that this process is gone. */
function endRun(
  { store, now = Date.now }: Pick<IngestOptions<unknown>, "store" | "now">,
  run: number,
  outcome?: IngestOutcome,
): void {
  try {
    store.runs.end(run, new Date(now()), outcome && JSON.stringify(outcome));
  } catch (error) {
    if (outcome !== undefined || !(error instanceof BridleError)) throw error;
  }
}

class IngestRun<T> {
  readonly #options: IngestOptions<T>;
  readonly #context: RunContext;
  readonly #startedAt: number;
  #sources: FetchedSources | undefined;
  #collected: CollectedCandidates | undefined;

  constructor(options: IngestOptions<T>, run: number) {
    this.#options = options;
    this.#context = new RunContext(options, run);
    this.#startedAt = this.#context.now();
  }

  async perform(): Promise<IngestResult<T>> {
    const { signal, progress } = this.#context;
    const { store, finish, isPlan = false } = this.#options;
    try {
      this.#sources = await fetchSources(this.#context);
      const gates = this.#gates(this.#sources.names);
      await askAboutItems(this.#context, gates);
      const { checked } = await this.#collect(gates);
      progress.begin("apply", 1);
      const result = await finish(checked, { ...this.#context.asking(), store, outcome: this.#outcome() });
      progress.add(1);
      if (!isPlan) store.removeUnused();
      return { outcome: this.#outcome(), result };
    } catch (error) {
      if (!signal.aborted) throw error;
      return { outcome: this.#outcome(), result: undefined };
    }
  }

  #gates(names: KnownNames): GateServices {
    const { knowledge, store } = this.#options;
    return { names, removeSecrets: this.#context.removeSecrets, ...rememberChecks(knowledge, store) };
  }

  async #collect(gates: GateServices): Promise<CollectedCandidates> {
    const { answers, reader, progress } = this.#context;
    const { store, isRehearsed } = this.#options;
    progress.begin("verify", 0);
    const services = { ...this.#context.asking(), store, answers, gates, reader, isRehearsed };
    const collected = await collectCandidates(services);
    this.#collected = collected;
    for (const each of collected.unanswered) this.#context.note("verify", each.questions, each);
    for (const { source, item } of collected.unreadable) {
      store.sources.forgetCursor(source);
      const reason = "Its stored text is missing or damaged. The next run fetches it again.";
      this.#context.note("fetch", [{ source, name: item }], { state: "failed", reason });
    }
    return collected;
  }

  #outcome(): IngestOutcome {
    const { models, unfinished, signal, now } = this.#context;
    const { fetched = [], removed = [], names } = this.#sources ?? {};
    return describeOutcome({
      store: this.#options.store,
      models,
      fetched,
      removedSources: removed,
      collected: this.#collected,
      unfinished,
      isScanned: names?.isScanned ?? true,
      isStopped: signal.aborted,
      startedAt: this.#startedAt,
      endedAt: now(),
    });
  }
}
