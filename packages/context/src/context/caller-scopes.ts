import type { TableFiles } from "../files/table-files.ts";
import type { ShownTables } from "../knowledge/shown-tables.ts";
import type { MetricCaller } from "../metrics/metric-queries.ts";
import { type ScopedConnection, ToolScope } from "../tools/tool-scope.ts";
import type { CallerOptions, ContextConnection } from "./context-options.ts";

/** Finds the tables of a context's connections that a caller may see. */
export class CallerScopes {
  readonly #connections: readonly ContextConnection[];
  readonly #files: TableFiles;
  readonly #shown: ShownTables;

  constructor(connections: readonly ContextConnection[], files: TableFiles, shown: ShownTables) {
    this.#connections = connections;
    this.#files = files;
    this.#shown = shown;
  }

  callerOf(options?: CallerOptions): MetricCaller {
    const scope = this.scopeOf(options);
    const scopeOf = (connection: string) => scope.forStatement(connection, this.#files.read());
    return { isVisible: scope.isVisible, scopeOf };
  }

  scopeOf(options?: CallerOptions): ToolScope {
    return new ToolScope(this.connections(options), this.#shown);
  }

  connections({ connections: wanted, scope: caller }: CallerOptions = {}): readonly ScopedConnection[] {
    return this.#connections
      .filter(({ name }) => wanted === undefined || wanted.includes(name))
      .map(({ name, scope: settings }) => ({ name, settings, caller }));
  }
}
