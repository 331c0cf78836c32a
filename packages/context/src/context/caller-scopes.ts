import type { TableFiles } from "../files/table-files.ts";
import type { MetricCaller } from "../metrics/metric-queries.ts";
import { type ScopedConnection, ToolScope } from "../tools/tool-scope.ts";
import type { CallerOptions, ContextConnection } from "./context-options.ts";

/** What callers may see of the connections of a context. */
export class CallerScopes {
  readonly #connections: readonly ContextConnection[];
  readonly #files: TableFiles;

  constructor(connections: readonly ContextConnection[], files: TableFiles) {
    this.#connections = connections;
    this.#files = files;
  }

  callerOf(options?: CallerOptions): MetricCaller {
    const scope = this.scopeOf(options);
    const scopeOf = (connection: string) => scope.forStatement(connection, this.#files.read());
    return { isVisible: scope.isVisible, scopeOf };
  }

  scopeOf(options?: CallerOptions): ToolScope {
    return new ToolScope(this.connections(options));
  }

  connections({ connections: wanted, scope: caller }: CallerOptions = {}): readonly ScopedConnection[] {
    return this.#connections
      .filter(({ name }) => wanted === undefined || wanted.includes(name))
      .map(({ name, scope: settings }) => ({ name, settings, caller }));
  }
}
