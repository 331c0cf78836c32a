import { forEachInParallel } from "@bridle/core";
import { getErrorMessage } from "@bridle/protocol";
import type { KnownNames } from "../claims/gates/known-names.ts";
import type { Candidate, CandidateBody } from "../sources/candidate.ts";
import type { IngestSource } from "../sources/source.ts";
import type { RunContext } from "./run-context.ts";
import { type FetchedSource, stageSource } from "./stage-source.ts";

/** The result of fetching all sources. */
export interface FetchedSources {
  readonly fetched: readonly FetchedSource[];
  /** Sources that are no longer configured. */
  readonly removed: readonly string[];
  /** The known names. */
  readonly names: KnownNames;
}

/** The number of sources that are fetched in parallel. */
const parallel = 4;

/** Stores the items of all sources and the candidates of their parsers. Rejects like `stageSource`. */
export async function fetchSources(context: RunContext): Promise<FetchedSources> {
  return new Fetching(context).run();
}

class Fetching {
  readonly #context: RunContext;
  readonly #fetched: FetchedSource[] = [];

  constructor(context: RunContext) {
    this.#context = context;
  }

  async run(): Promise<FetchedSources> {
    const { options, progress } = this.#context;
    const removed = this.#removeSources();
    progress.begin("fetch", options.sources.length);
    await this.#fetch();
    const names = options.knowledge.names();
    progress.begin("project", options.sources.length);
    for (const source of options.sources) {
      await this.#project(source, names);
      progress.add(1, source.name);
    }
    const { sources } = options.store;
    for (const { name } of sources.list()) names.define(name, sources.projected(name).flatMap(definedNames));
    return { fetched: this.#fetched, removed, names };
  }

  #removeSources(): readonly string[] {
    const { store, sources, configured, isPlan = false } = this.#context.options;
    if (configured === undefined) return [];
    const known = new Set([...configured, ...sources.map(({ name }) => name)]);
    const gone = store.sources.list().flatMap(({ name }) => (known.has(name) ? [] : [name]));
    for (const name of gone) {
      if (isPlan)
        store.items.hide(
          name,
          Array.from(store.items.list(name), ({ item }) => item.id),
        );
      else store.sources.remove(name);
    }
    return gone;
  }

  async #fetch(): Promise<void> {
    const { options, signal, run, removeSecrets, progress, now } = this.#context;
    const { store, isPlan } = options;
    const staging = { store, isPlan, run, removeSecrets, now: () => new Date(now()) };
    await forEachInParallel(options.sources, { parallel, signal }, async (source, stop) => {
      const onItem = (name: string) => progress.touch(name);
      this.#fetched.push(await stageSource(source, { ...staging, signal: stop, onItem }));
      progress.add(1, source.name);
    });
    this.#fetched.sort((a, b) => (a.source < b.source ? -1 : 1));
  }

  /** Stores the candidates of a source's parser. If the parser fails, or the source could not be opened, the earlier candidates remain. */
  async #project(source: IngestSource, names: KnownNames): Promise<void> {
    const { options, signal } = this.#context;
    const { store, knowledge } = options;
    signal.throwIfAborted();
    if (source.project === undefined) return;
    const items = Array.from(store.items.list(source.name), ({ item }) => item);
    const versions = new Map(items.map(({ id, version }) => [id, version]));
    const textOf = (id: string) => store.texts.read(versions.get(id) ?? "") ?? "";
    try {
      const projection = await source.project(items, {
        findTable: (name) => names.tableId(name),
        findColumn: (table, column) => names.columnId(table, column),
        placeModel: knowledge.placeModel,
        textOf,
        signal,
      });
      const { candidates, findings } = projection;
      store.sources.project(source.name, candidates.map(asProjection), findings);
    } catch (error) {
      signal.throwIfAborted();
      this.#addProblem(source.name, `What its parser has read stays as it was: ${getErrorMessage(error)}`);
    }
  }

  #addProblem(source: string, message: string): void {
    const index = this.#fetched.findIndex((each) => each.source === source);
    const fetched = this.#fetched[index];
    if (fetched === undefined) return;
    const problem = { source, message: this.#context.removeSecrets(message) };
    this.#fetched[index] = { ...fetched, problems: [...fetched.problems, problem] };
  }
}

function asProjection(candidate: Candidate): Candidate {
  return { ...candidate, origin: "projection" };
}

/** Returns the names that a candidate defines: tables, columns, models and their entries, with and without the part before the dot. */
function definedNames({ body }: Candidate): readonly string[] {
  return namesIn(body).flatMap((name) => [name, name.slice(name.lastIndexOf(".") + 1)]);
}

function namesIn(body: CandidateBody): readonly string[] {
  switch (body.kind) {
    case "statement":
      return body.tables;
    case "description":
      return [body.subject];
    case "join":
      return [...body.from, ...body.to];
    case "model-part":
      return [...(body.table === undefined ? [] : [body.table]), body.model, body.name, `${body.model}.${body.name}`];
  }
}
