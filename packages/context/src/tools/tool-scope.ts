import { isLimiting, joinName, ScopePatterns, type TableScope } from "@bridle/warehouse";
import type { TablePath } from "../facts/identifiers.ts";
import { parseTableId } from "../facts/parse-identifier.ts";
import { refuseUnprotected } from "../files/refuse-unprotected.ts";
import type { NotesOfFiles } from "../files/table-notes.ts";
import type { IsVisible } from "../knowledge/known.ts";
import type { ShownTables } from "../knowledge/shown-tables.ts";

/** A connection that a caller may use. */
export interface ScopedConnection {
  readonly name: string;
  /** The tables that the settings of the connection allow. Default: all. */
  readonly settings?: TableScope | undefined;
  /** The tables that the caller may see. Default: all. */
  readonly caller?: TableScope | undefined;
}

/** The tables that a caller may see, which are the same in searches, in descriptions and in SQL. */
export class ToolScope {
  readonly connections: readonly ScopedConnection[];
  readonly isVisible: IsVisible;

  constructor(connections: readonly ScopedConnection[], shown: ShownTables) {
    this.connections = connections;
    const scopes = new Map(connections.map((each) => [each.name, new ConnectionScope(each, shown)]));
    this.isVisible = (path: TablePath) => scopes.get(path.connection)?.has(path) ?? false;
  }

  /** Returns the scope of a caller's statement, without hidden tables. Throws ConfigError if a broken file may hide tables. */
  forStatement(connection: string, notes: NotesOfFiles | undefined): TableScope {
    refuseUnprotected(connection, notes);
    const { caller = {} } = this.connections.find(({ name }) => name === connection) ?? {};
    const hidden = Array.from(notes?.tables ?? [], ([id, { hidden: isHidden }]) =>
      isHidden ? parseTableId(id) : undefined,
    );
    const excluded = hidden
      .filter((path) => path?.connection === connection)
      .map((path) => joinName([path?.schema ?? "", path?.table ?? ""]));
    return { include: caller.include, exclude: [...(caller.exclude ?? []), ...excluded] };
  }
}

/** The tables of one connection that a caller may see. */
class ConnectionScope {
  readonly #settings: ScopePatterns;
  readonly #caller: ScopePatterns;
  readonly #isLimited: boolean;
  readonly #shown: ShownTables;

  constructor({ settings, caller }: ScopedConnection, shown: ShownTables) {
    this.#settings = new ScopePatterns(settings ?? {});
    this.#caller = new ScopePatterns(caller ?? {});
    this.#isLimited = isLimiting(caller);
    this.#shown = shown;
  }

  /** Whether the caller may see a table. The settings' rules for views are applied elsewhere, when the knowledge is read. */
  has(path: TablePath): boolean {
    if (!this.#settings.has(path) || !this.#caller.has(path)) return false;
    const view = this.#isLimited ? this.#shown.get(path) : undefined;
    return view === undefined || this.#caller.mayShow(path, view.reads, view.isTrusted);
  }
}
