/** The knowledge about warehouses: measured facts, and the descriptions and decisions of users, agents and models. */
import type { ConnectionFacts, DriftEntry } from "../facts/facts.ts";
import { formatTableId, type TablePath } from "../facts/identifiers.ts";
import type { NotesOfFiles } from "../files/table-notes.ts";
import type { IsVisible, KnowledgeSources, KnownJoin, KnownTable } from "./known.ts";
import { KnownJoins } from "./known-joins.ts";
import { isWithheld, mergeTable } from "./merge-table.ts";
import { ShownTables } from "./shown-tables.ts";

/** Reads facts and files together. Every answer is current. */
export class Knowledge {
  readonly #sources: KnowledgeSources;
  readonly #joins: KnownJoins;
  /** Finds the views among the tables, and the tables whose rows they show. */
  readonly shown: ShownTables;

  constructor(sources: KnowledgeSources) {
    this.#sources = sources;
    this.shown = new ShownTables(sources);
    this.#joins = new KnownJoins(sources);
  }

  connections(): readonly ConnectionFacts[] {
    return this.#sources.facts.connections();
  }

  /** Yields the tables that a caller may see, sorted by identifier. */
  *tables(isVisible: IsVisible = () => true): Iterable<KnownTable> {
    const notes = this.#sources.files?.read();
    for (const facts of this.#sources.facts.tables()) {
      const table = isVisible(facts) ? mergeTable(facts, notes, this.#sources) : undefined;
      if (table !== undefined) yield table;
    }
  }

  /** Finds a table; undefined if it does not exist or the caller may not see it. */
  table(id: string, isVisible: IsVisible = () => true): KnownTable | undefined {
    const facts = this.#sources.facts.table(id);
    if (facts === undefined || !isVisible(facts)) return undefined;
    return mergeTable(facts, this.#sources.files?.read(), this.#sources);
  }

  /** Whether a caller may read about a table, even if no scan has found it. */
  mayShow(path: TablePath, isVisible: IsVisible = () => true): boolean {
    const id = formatTableId(path);
    if (this.#sources.facts.table(id) !== undefined) return this.table(id, isVisible) !== undefined;
    const notes = this.#sources.files?.read();
    const asTable = { ...path, kind: "table" as const };
    return isVisible(path) && !isWithheld(asTable, notes, this.#sources) && !isHiddenInOtherCase(id, notes);
  }

  /** Lists the joins of one table or of all, between tables that the caller may see. Leaves out rejected joins. */
  joins(table?: string, isVisible: IsVisible = () => true): readonly KnownJoin[] {
    const canSee = (id: string) => this.table(id, isVisible);
    return this.#joins.read(table, canSee);
  }

  drift(connection: string): readonly DriftEntry[] {
    return this.#sources.facts.drift(connection);
  }

  /** Returns a string that differs after every change of the rules for reading a warehouse: structure, sensitive columns, hidden tables. */
  rulesVersion(): string {
    const { facts, files } = this.#sources;
    return [facts.version(), files?.version()].join("/");
  }

  /** Returns a string that differs after every change of the knowledge. */
  version(): string {
    const { facts, files, descriptions } = this.#sources;
    return [facts.version(), files?.version(), descriptions?.version()].join("/");
  }
}

/** Whether files hide a table with this name in any letter case. Used for tables that no scan found. */
function isHiddenInOtherCase(id: string, notes: NotesOfFiles | undefined): boolean {
  const wanted = id.toLowerCase();
  return Array.from(notes?.tables ?? []).some(
    ([other, { hidden }]) => hidden === true && other.toLowerCase() === wanted,
  );
}
