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
  /** What the settings of the connection allow. Default: everything. */
  readonly settings?: TableScope | undefined;
  /** What of it the caller may see. Default: all of it. */
  readonly caller?: TableScope | undefined;
}

/** What a caller may see: the same in a search, in a description and in SQL. */
export class ToolScope {
  readonly connections: readonly ScopedConnection[];
  readonly isVisible: IsVisible;

  constructor(connections: readonly ScopedConnection[], shown: ShownTables) {
    this.connections = connections;
    const scopes = new Map(connections.map((each) => [each.name, new ConnectionScope(each, shown)]));
    this.isVisible = (path: TablePath) => scopes.get(path.connection)?.has(path) ?? false;
  }

  /** The scope of a caller's statement. Hidden tables are excluded. Throws ConfigError if a file does not say which these are. */
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

/** What a caller may see of one connection. */
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

  /** What the settings say about views is applied where the knowledge is read. */
  has(path: TablePath): boolean {
    if (!this.#settings.has(path) || !this.#caller.has(path)) return false;
    const view = this.#isLimited ? this.#shown.get(path) : undefined;
    return view === undefined || this.#caller.mayShow(path, view.reads, view.isTrusted);
  }
}
