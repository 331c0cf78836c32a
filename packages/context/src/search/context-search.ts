/** Searches all knowledge about warehouses. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "@bridle/protocol";
import { getErrorMessage } from "@bridle/protocol";
import type { EntryKind, SearchEntry } from "../facts/entry-kind.ts";
import { formatTableId } from "../facts/identifiers.ts";
import { searchWords } from "../facts/search-words.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IsVisible } from "../knowledge/known.ts";
import { metricEntries, type SearchedModels } from "../metrics/metric-entries.ts";
import { wordsOfQuery } from "./function-words.ts";
import { fuseRanks } from "./fuse-ranks.ts";
import { joinEntries } from "./join-entries.ts";
import { MeaningIndex } from "./meaning-index.ts";
import { pageEntries, type SearchedPages } from "./page-entries.ts";
import type { ContextSearchOptions } from "./search-options.ts";
import { tableEntries } from "./table-entries.ts";
import { type Expansion, type RankedEntry, WordIndex } from "./word-index.ts";

export interface FindOptions {
  /** The maximum number of hits. Default: 10. */
  readonly limit?: number | undefined;
  /** Tables that the caller may see. Default: all. */
  readonly isVisible?: IsVisible | undefined;
  /** The kinds to find, such as `table`. Default: all kinds. */
  readonly kinds?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SearchHit {
  /** `table`, `join` or `page`, or for a model's entries `metric` (including measures), `dimension` or `model`. */
  readonly kind: string;
  /** The identifier of a table or join, the name of a page or model, or `model.name` for a metric or dimension. */
  readonly id: string;
  /** The number of the page's best section, from 0. */
  readonly part?: number | undefined;
  /** Comparable only within one search. */
  readonly score: number;
}

interface Indexed extends Omit<SearchEntry, "fields"> {
  readonly kind: string;
}

/** How many of the best entries by words, and of those by vectors, are fused. */
const maxFused = 200;

/** Milliseconds of work before other work of the process gets its turn. */
const slice = 8;

/**
 * Finds tables, joins, metrics and pages by words, and by meaning with an embedder. After a change of the facts, a search starts an update
 * of the index but does not wait for it. Only the first search waits, until the words are indexed.
 */
export class ContextSearch {
  readonly #knowledge: Knowledge;
  readonly #models: SearchedModels | undefined;
  readonly #pages: SearchedPages | undefined;
  readonly #kinds: readonly EntryKind[];
  readonly #words = new WordIndex();
  readonly #meanings: MeaningIndex;
  readonly #logger: Logger | undefined;
  readonly #closing = new AbortController();
  #entries = new Map<string, Indexed>();
  #version: string | undefined;
  #updating: Promise<void> | undefined;

  constructor({ knowledge, models, pages, embedder, vectorFile, logger }: ContextSearchOptions) {
    this.#knowledge = knowledge;
    this.#models = models;
    this.#pages = pages;
    this.#kinds = [
      tableEntries(knowledge),
      joinEntries(knowledge),
      ...(models ? metricEntries(models) : []),
      ...(pages ? [pageEntries(pages)] : []),
    ];
    this.#meanings = new MeaningIndex({
      embedder,
      vectorFile,
      logger,
      texts: () => this.#texts(),
      textOf: (key) => this.#entries.get(key)?.meaning,
    });
    this.#logger = logger;
  }

  /** Brings words and vectors up to date. Rejects with a BridleError if texts cannot be embedded. */
  async update(): Promise<void> {
    await this.#updateWords();
    await this.#meanings.update();
  }

  /** Finds the entries that match a query, best first. */
  async find(query: string, options: FindOptions = {}): Promise<readonly SearchHit[]> {
    await this.#follow();
    const isWanted = this.#filter(options);
    const words = this.#words.search(this.#words.expand(wordsOfQuery(searchWords(query))), isWanted);
    const near = await this.#meanings.find(query, isWanted, { limit: maxFused, signal: options.signal });
    const ranked = near.length === 0 ? words : fuseRanks(words.slice(0, maxFused), near);
    return this.#takeVisible(ranked, options);
  }

  /** Returns the first visible entries. Checks visibility again, because the index may be older than a change that hides a table. */
  #takeVisible(ranked: readonly RankedEntry[], { limit = 10, isVisible }: FindOptions): readonly SearchHit[] {
    const hits = new Map<string, SearchHit>();
    for (const { key, score } of ranked) {
      if (hits.size === limit) break;
      const entry = this.#entries.get(key);
      if (entry === undefined) continue;
      const { kind, id, group = id, part } = entry;
      const name = `${kind} ${group}`;
      if (!hits.has(name) && this.#isShown(entry, isVisible))
        hits.set(name, { kind, id: group, score, ...(part !== undefined && { part }) });
    }
    return [...hits.values()];
  }

  #isShown({ tables, needsNoScan = false }: Indexed, isVisible: IsVisible | undefined): boolean {
    return tables.every((path) =>
      needsNoScan
        ? this.#knowledge.mayShow(path, isVisible)
        : this.#knowledge.table(formatTableId(path), isVisible) !== undefined,
    );
  }

  /** Returns the names that a query is about, most relevant first. */
  matching(query: string, names: readonly string[]): readonly string[] {
    const expansions = this.#words.expand(wordsOfQuery(searchWords(query)));
    const scored = names.map((name) => ({ name, score: matchScore(searchWords(name), expansions) }));
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ name }) => name);
  }

  /** The number of entries that can be found now. */
  get size(): number {
    return this.#entries.size;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#updating, this.#meanings.close()]);
  }

  /** Starts an update of outdated parts. Waits only if the index is empty. */
  async #follow(): Promise<void> {
    const isStale = this.#currentVersion() !== this.#version;
    const update = isStale ? this.#updateWords() : undefined;
    if (this.#version === undefined) await update;
    void update?.catch((error: unknown) => this.#warn(error));
    this.#meanings.follow();
  }

  /** Returns a string that differs after every change of the knowledge, the models or the pages. */
  #currentVersion(): string {
    return `${this.#knowledge.version()} ${this.#models?.read().version ?? ""} ${this.#pages?.version ?? ""}`;
  }

  #warn(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#logger?.warn({}, `The index of the search could not be updated: ${getErrorMessage(error)}`);
  }

  #updateWords(): Promise<void> {
    this.#updating ??= this.#index().finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  async #index(): Promise<void> {
    const version = this.#currentVersion();
    if (version === this.#version) return;
    const present = new Set<string>();
    let until = performance.now() + slice;
    for (const { kind, entries } of this.#kinds) {
      for (const entry of entries()) {
        const key = `${kind} ${entry.id}`;
        present.add(key);
        this.#replace(key, kind, entry);
        if (performance.now() < until) continue;
        await nextTurn();
        if (this.#closing.signal.aborted) return;
        until = performance.now() + slice;
      }
    }
    for (const key of [...this.#entries.keys()].filter((each) => !present.has(each))) this.#remove(key);
    this.#words.refreshVocabulary();
    this.#version = version;
    this.#meanings.invalidate();
  }

  #replace(key: string, kind: string, { fields, ...entry }: SearchEntry): void {
    const old = this.#entries.get(key);
    if (old?.fingerprint === entry.fingerprint) return;
    this.#words.set(key, { fields });
    if (old !== undefined && old.meaning !== entry.meaning) this.#meanings.delete(key);
    this.#entries.set(key, { kind, ...entry });
  }

  #remove(key: string): void {
    this.#words.delete(key);
    this.#meanings.delete(key);
    this.#entries.delete(key);
  }

  *#texts(): Iterable<readonly [string, string]> {
    for (const [key, { meaning }] of this.#entries) if (meaning !== undefined) yield [key, meaning];
  }

  #filter({ isVisible = () => true, kinds }: FindOptions): (key: string) => boolean {
    return (key) => {
      const entry = this.#entries.get(key);
      if (entry === undefined || kinds?.includes(entry.kind) === false) return false;
      return entry.tables.every(isVisible);
    };
  }
}

function matchScore(names: readonly string[], expansions: readonly Expansion[]): number {
  const best = expansions.map(({ words }) => Math.max(0, ...names.map((name) => words.get(name) ?? 0)));
  return best.reduce((sum, each) => sum + each, 0);
}
