import { ConfigError, suggestion } from "@bridle/protocol";
import type { Warehouse } from "@bridle/warehouse";
import { parseTableId } from "../facts/parse-identifier.ts";
import { refuseUnprotected } from "../files/refuse-unprotected.ts";
import type { TableFiles } from "../files/table-files.ts";

interface Openable {
  readonly name: string;
  open(signal?: AbortSignal): Promise<Warehouse>;
}

/** The connections of a context, each of which is opened only once. */
export class OpenedConnections {
  readonly #connections: readonly Openable[];
  readonly #files: TableFiles;
  readonly #opening = new Map<string, Promise<Warehouse>>();
  readonly #lost: Promise<Warehouse>[] = [];

  constructor(connections: readonly Openable[], files: TableFiles) {
    this.#connections = connections;
    this.#files = files;
  }

  /**
   * Opens a connection, or returns the open one. The connection masks the columns that the files of `context/tables` mark as sensitive.
   * Rejects with a ConfigError if there is no such connection, or if errors in a table file may leave data unprotected.
   */
  async open(name: string, signal?: AbortSignal): Promise<Warehouse> {
    const connection = this.#connections.find((each) => each.name === name);
    if (connection === undefined) throw unknownConnection(name, this.#connections);
    refuseUnprotected(name, this.#files.read());
    const opening = this.#opening.get(name) ?? connection.open(signal);
    this.#opening.set(name, opening);
    try {
      const warehouse = await opening;
      this.#mark(warehouse);
      return warehouse;
    } catch (error) {
      this.#opening.delete(name);
      throw error;
    }
  }

  /** Reopens a connection that was lost. */
  openAgain(name: string, signal?: AbortSignal): Promise<Warehouse> {
    const lost = this.#opening.get(name);
    if (lost !== undefined) this.#lost.push(lost);
    this.#opening.delete(name);
    return this.open(name, signal);
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled([...this.#lost, ...this.#opening.values()]);
    await Promise.allSettled(opened.map((each) => (each.status === "fulfilled" ? each.value.close() : undefined)));
  }

  #mark(warehouse: Warehouse): void {
    const marked = Array.from(this.#files.read().tables).flatMap(([id, { columns = {} }]) => {
      const path = parseTableId(id);
      if (path?.connection !== warehouse.name) return [];
      const names = Object.entries(columns).filter(([, { sensitive }]) => sensitive === true);
      return names.map(([column]) => ({ schema: path.schema, table: path.table, column }));
    });
    if (marked.length > 0) warehouse.addSensitive(marked);
  }
}

function unknownConnection(name: string, known: readonly Openable[]): ConfigError {
  const names = known.map((each) => each.name);
  const remedy =
    names.length === 0 ? " Add it under context.connections in bridle.yaml." : ` There are: ${names.join(", ")}.`;
  return new ConfigError(`There is no connection "${name}".${suggestion(name, names) || remedy}`, {
    field: "context.connections",
  });
}
