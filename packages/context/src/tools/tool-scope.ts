import { joinName, ScopePatterns, type TableScope } from "@bridle/warehouse";
import type { TablePath } from "../facts/identifiers.ts";
import { parseTableId } from "../facts/parse-identifier.ts";
import { refuseUnprotected } from "../files/refuse-unprotected.ts";
import type { NotesOfFiles } from "../files/table-notes.ts";
import type { IsVisible } from "../knowledge/known.ts";

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

  constructor(connections: readonly ScopedConnection[]) {
    this.connections = connections;
    const patterns = new Map(connections.map(({ name, settings, caller }) => [name, toPatterns(settings, caller)]));
    this.isVisible = (path: TablePath) => patterns.get(path.connection)?.every((each) => each.has(path)) ?? false;
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

function toPatterns(...scopes: readonly (TableScope | undefined)[]): readonly ScopePatterns[] {
  return scopes.filter((scope) => scope !== undefined).map((scope) => new ScopePatterns(scope));
}
