/** The search over everything that is known. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "@bridle/protocol";
import { getErrorMessage } from "@bridle/protocol";
import { formatTableId, type TablePath } from "../facts/identifiers.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IsVisible } from "../knowledge/known.ts";
import type { EntryKind, SearchEntry } from "./entry-kind.ts";
import { EntryVectors } from "./entry-vectors.ts";
import { wordsOfQuery } from "./function-words.ts";
import { fuseRanks } from "./fuse-ranks.ts";
import { joinEntries } from "./join-entries.ts";
import { metricEntries, type SearchedModels } from "./metric-entries.ts";
import type { ContextSearchOptions } from "./search-options.ts";
import { searchWords } from "./search-words.ts";
import { tableEntries } from "./table-entries.ts";
import { VectorIndex } from "./vector-index.ts";
import { type Expansion, type RankedEntry, WordIndex } from "./word-index.ts";

export interface FindOptions {
  /** Default: 10. */
  readonly limit?: number | undefined;
  /** Tables that the caller may see. Default: all. */
  readonly isVisible?: IsVisible | undefined;
  /** Such as `table`. Default: all kinds. */
  readonly kinds?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SearchHit {
  /** `table`, `join`, or of a model `metric` (also measures), `dimension` or `model`. */
  readonly kind: string;
  /** The identifier of the table or join; `model.name` of a metric or dimension; the name of a model. */
  readonly id: string;
  /** Comparable within one search only. */
  readonly score: number;
}

interface Indexed extends Omit<SearchEntry, "fields"> {
  readonly kind: string;
}

/** How many of the best by words and by vectors are fused. */
const mostFused = 200;

/** Milliseconds of work after which other work of the process has its turn. */
const slice = 8;

/**
 * Finds tables and joins by words, and by meaning with an embedder. It follows the facts by itself: a search after a change
 * starts an update and does not wait for it. Only the first search waits, for the words.
 */
export class ContextSearch {
  readonly #knowledge: Knowledge;
  readonly #models: SearchedModels | undefined;
  readonly #kinds: readonly EntryKind[];
  readonly #words = new WordIndex();
  readonly #vectors = new VectorIndex();
  readonly #cache: EntryVectors | undefined;
  readonly #logger: Logger | undefined;
  readonly #closing = new AbortController();
  #entries = new Map<string, Indexed>();
  #version: string | undefined;
  #updating: Promise<void> | undefined;
  #embedding: Promise<void> | undefined;
  #isMeaningCurrent = false;

  constructor({ knowledge, models, embedder, vectorFile, logger }: ContextSearchOptions) {
    this.#knowledge = knowledge;
    this.#models = models;
    this.#kinds = [tableEntries(knowledge), joinEntries(knowledge), ...(models ? metricEntries(models) : [])];
    this.#cache = embedder && new EntryVectors(embedder, vectorFile);
    this.#logger = logger;
  }

  /** Brings words and vectors up to date. Rejects with a BridleError if texts cannot be embedded. */
  async update(): Promise<void> {
    await this.#updateWords();
    await this.#updateVectors();
  }

  /** The best entries of a query, best first. */
  async find(query: string, options: FindOptions = {}): Promise<readonly SearchHit[]> {
    await this.#follow();
    const isWanted = this.#filter(options);
    const words = this.#words.search(this.#words.expand(wordsOfQuery(searchWords(query))), isWanted);
    const near = await this.#findNear(query, isWanted, options.signal);
    const ranked = near.length === 0 ? words : fuseRanks(words.slice(0, mostFused), near);
    return this.#takeVisible(ranked, options);
  }

  /** The index may be older than what hides a table, so the first ones are looked up. */
  #takeVisible(ranked: readonly RankedEntry[], { limit = 10, isVisible }: FindOptions): readonly SearchHit[] {
    const hits: SearchHit[] = [];
    for (const { key, score } of ranked) {
      if (hits.length === limit) break;
      const entry = this.#entries.get(key);
      const canSee = (path: TablePath) => this.#knowledge.table(formatTableId(path), isVisible) !== undefined;
      if (entry?.tables.every(canSee)) hits.push({ kind: entry.kind, id: entry.id, score });
    }
    return hits;
  }

  /** Which of some names a query is about, most relevant first. */
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
    await Promise.allSettled([this.#updating, this.#embedding]);
    this.#cache?.close();
  }

  /** Starts what is out of date. Waits only if there is nothing to search in yet. */
  async #follow(): Promise<void> {
    const isStale = this.#currentVersion() !== this.#version;
    const update = isStale ? this.#updateWords() : undefined;
    if (this.#version === undefined) await update;
    void update?.catch((error: unknown) => this.#warn(error));
    if (!this.#isMeaningCurrent) void this.#updateVectors().catch((error: unknown) => this.#warn(error));
  }

  /** Differs after every change of what is known, and of the models. */
  #currentVersion(): string {
    return `${this.#knowledge.version()} ${this.#models?.read().version ?? ""}`;
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
    this.#isMeaningCurrent = false;
  }

  #replace(key: string, kind: string, { fields, ...entry }: SearchEntry): void {
    const old = this.#entries.get(key);
    if (old?.fingerprint === entry.fingerprint) return;
    this.#words.set(key, { fields });
    if (old !== undefined && old.meaning !== entry.meaning) this.#vectors.delete(key);
    const { id, fingerprint, tables, meaning } = entry;
    this.#entries.set(key, { kind, id, fingerprint, tables, meaning });
  }

  #remove(key: string): void {
    this.#words.delete(key);
    this.#vectors.delete(key);
    this.#entries.delete(key);
  }

  #updateVectors(): Promise<void> {
    this.#embedding ??= this.#embedAll().finally(() => {
      this.#embedding = undefined;
    });
    return this.#embedding;
  }

  async #embedAll(): Promise<void> {
    const version = this.#version;
    const cache = this.#cache;
    if (cache === undefined) {
      this.#isMeaningCurrent = true;
      return;
    }
    const wanted = [...this.#entries].filter(([, { meaning }]) => meaning !== undefined);
    for (let from = 0; from < wanted.length; from += 96) {
      const batch = wanted.slice(from, from + 96);
      const vectors = await cache.embed(
        batch.flatMap(([, { meaning }]) => meaning ?? []),
        this.#closing.signal,
      );
      for (const [key, { meaning = "" }] of batch) {
        const vector = vectors.get(meaning);
        if (vector && this.#entries.get(key)?.meaning === meaning) this.#vectors.set(key, vector);
      }
    }
    this.#isMeaningCurrent = version === this.#version;
  }

  /** Empty without vectors. A query that cannot be embedded is answered by words. */
  async #findNear(
    query: string,
    isWanted: (key: string) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly RankedEntry[]> {
    if (this.#cache === undefined || this.#vectors.size === 0 || query.trim() === "") return [];
    try {
      return this.#vectors.search(await this.#cache.embedQuery(query, signal), isWanted, mostFused);
    } catch (error) {
      signal?.throwIfAborted();
      this.#warn(error);
      return [];
    }
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
