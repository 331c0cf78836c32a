import { getErrorMessage, isBridleError } from "@bridle/protocol";
import type { FetchEvent, IngestSource, SourceItem } from "../sources/source.ts";
import { explainWordless } from "../staging/explain-wordless.ts";
import { isOwnOutput } from "../staging/own-output.ts";
import type { RemoveSecrets } from "../staging/remove-secrets.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import type { RemovedItem } from "../store/item-table.ts";
import { maxTextLength } from "../store/raw-texts.ts";
import { type CleanItem, cleanItem, type EarlierFindings, storedId, storeItem } from "./stage-item.ts";

/** An item that a source could not deliver, or that was left out. */
interface SourceProblem {
  readonly source: string;
  readonly item?: string | undefined;
  readonly message: string;
}

/** The result of a fetch, compared with the stored items. */
export interface FetchedSource {
  readonly source: string;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: readonly RemovedItem[];
  /** The items that Bridle wrote itself, which are left out. */
  readonly ownOutput: readonly string[];
  /** Whether the source was fetched completely. If not, no item counts as removed. */
  readonly isComplete: boolean;
  readonly problems: readonly SourceProblem[];
}

export interface StagingOptions {
  readonly store: IngestStore;
  readonly run: number;
  readonly removeSecrets: RemoveSecrets;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Whether items that the source no longer has are only hidden. Default: they are removed. */
  readonly isPlan?: boolean | undefined;
  /** Called after each item. */
  onItem?(source: string, staged: number): void;
}

/**
 * Fetches a source, and stores each item without its secrets before it reads the next one. Lists the source's failures as problems in the
 * result. Rejects only if the store cannot be used or `signal` is aborted.
 */
export async function stageSource(source: IngestSource, options: StagingOptions): Promise<FetchedSource> {
  return new SourceStaging(source, options).run();
}

class SourceStaging {
  readonly #source: IngestSource;
  readonly #options: StagingOptions;
  readonly #problems: SourceProblem[] = [];
  readonly #counts = { added: 0, changed: 0, unchanged: 0 };
  readonly #ownOutput: string[] = [];
  #removed: readonly RemovedItem[] = [];
  #isComplete = false;
  #canUseCursor = true;

  constructor(source: IngestSource, options: StagingOptions) {
    this.#source = source;
    this.#options = options;
  }

  async run(): Promise<FetchedSource> {
    const { store, signal } = this.#options;
    const { name, type } = this.#source;
    store.sources.add(name, type);
    const cursor = store.sources.read(name)?.cursor;
    const updatedAtOf = (id: string) => store.items.read(name, this.#storedId(id))?.item.updatedAt;
    const events = this.#source.fetch({ cursor, signal, updatedAtOf })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const event = await this.#next(events);
        signal.throwIfAborted();
        if (event === undefined) break;
        this.#take(event);
        if (event.kind === "complete") break;
      }
    } finally {
      await events.return?.().catch(() => undefined);
    }
    signal.throwIfAborted();
    const [problems, removed, ownOutput] = [this.#problems, this.#removed, this.#ownOutput];
    return { source: name, ...this.#counts, removed, ownOutput, isComplete: this.#isComplete, problems };
  }

  /** Returns the next event; undefined at the end. Records a failure of the source as a problem and ends the fetch. */
  async #next(events: AsyncIterator<FetchEvent>): Promise<FetchEvent | undefined> {
    try {
      const next = await events.next();
      return next.done ? undefined : next.value;
    } catch (error) {
      this.#options.signal.throwIfAborted();
      const reason = isBridleError(error)
        ? error.message
        : `${this.#source.name} cannot be read: ${getErrorMessage(error)}.`;
      this.#addProblem(undefined, reason);
      return undefined;
    }
  }

  #take(event: FetchEvent): void {
    const { store, run, now } = this.#options;
    const { name } = this.#source;
    if (event.kind === "item") this.#takeItem(event.item);
    else if (event.kind === "unchanged") this.#keep(event.id);
    else if (event.kind === "problem") {
      if (event.id !== undefined) store.items.keep(name, this.#storedId(event.id), run);
      this.#addProblem(event.id, event.message);
    } else {
      this.#removeUnseen();
      store.sources.complete(name, this.#canUseCursor ? event.cursor : undefined, now());
      this.#isComplete = true;
    }
  }

  #removeUnseen(): void {
    const { store, run, isPlan = false } = this.#options;
    const { name } = this.#source;
    this.#removed = isPlan ? store.items.unseen(name, run) : store.items.removeUnseen(name, run);
    if (isPlan)
      store.items.hide(
        name,
        this.#removed.map(({ id }) => id),
      );
  }

  #takeItem(item: SourceItem): void {
    const { store, run } = this.#options;
    if (isOwnOutput(item)) this.#ownOutput.push(this.#storedId(item.id));
    else {
      const reason = explainUnreadable(item);
      if (reason === undefined) this.#stage(item);
      else {
        store.items.keep(this.#source.name, this.#storedId(item.id), run);
        this.#addProblem(item.id, reason);
      }
    }
  }

  #stage(item: SourceItem): void {
    const { store, run } = this.#options;
    const { name } = this.#source;
    const before = store.items.read(name, this.#storedId(item.id));
    const version = (wanted: string) => store.readVersion(wanted);
    const clean = this.#clean(item, { item: before, version });
    if (clean === undefined) return;
    storeItem(clean, store, run);
    const change =
      before === undefined ? "added" : before.item.version === clean.item.version ? "unchanged" : "changed";
    this.#counts[change] += 1;
    this.#report();
  }

  /** Cleans an item; undefined if its text cannot be checked. Such an item is recorded as a problem, and no part of it is stored. */
  #clean(item: SourceItem, earlier: EarlierFindings): CleanItem | undefined {
    const { store, run, removeSecrets } = this.#options;
    const { name } = this.#source;
    try {
      return cleanItem(name, item, removeSecrets, earlier);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // the stack has overflowed, or the text is too long
      store.items.keep(name, this.#storedId(item.id), run);
      this.#addProblem(
        item.id,
        "It could not be checked for secrets and instructions, because its text is too long or nested too deeply. Divide it, or leave it out.",
      );
      return undefined;
    }
  }

  #keep(id: string): void {
    const { store, run } = this.#options;
    if (store.items.keep(this.#source.name, this.#storedId(id), run)) {
      this.#counts.unchanged += 1;
      this.#report();
    } else {
      this.#canUseCursor = false;
      this.#addProblem(id, "The source reports no change, but it was never stored. Ingest again.");
    }
  }

  #report(): void {
    const { added, changed, unchanged } = this.#counts;
    this.#options.onItem?.(this.#source.name, added + changed + unchanged);
  }

  #addProblem(id: string | undefined, message: string): void {
    const { removeSecrets } = this.#options;
    const item = id === undefined ? undefined : this.#storedId(id);
    this.#problems.push({ source: this.#source.name, item, message: removeSecrets(message) });
  }

  /** Returns the stored id. An earlier run has checked ids that are already in the store. */
  #storedId(id: string): string {
    const { store, removeSecrets } = this.#options;
    return store.items.read(this.#source.name, id) === undefined ? storedId(id, removeSecrets) : id;
  }
}

/** Explains why a text is unreadable. In structured items, repeated words are normal. */
function explainUnreadable({ text, isStructured = false }: SourceItem): string | undefined {
  if (text.length > maxTextLength)
    return `The text is longer than ${maxTextLength / 1e6} MB. Divide it, or leave it out.`;
  return isStructured ? undefined : explainWordless(text);
}
