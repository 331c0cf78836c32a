import { setTimeout as sleep } from "node:timers/promises";
import type { TableStructure } from "@bridle/warehouse";
import type { TablePath } from "../facts/identifiers.ts";
import type { KnownTable } from "../knowledge/known.ts";
import type { ToolBase } from "./tool-base.ts";

/** Milliseconds until drift is checked again. */
const keptFor = 60_000;

/** The current differences between a table and the facts. */
export interface TableDrift {
  /** Columns in the facts that the database no longer has. */
  readonly gone: readonly string[];
  /** Columns that the facts do not have. */
  readonly added: readonly string[];
  readonly isGone: boolean;
}

/** The current structure of the databases, so that drift is reported immediately and not only after the next scan. */
export class LiveStructure {
  readonly #base: ToolBase;
  readonly #read = new Map<string, { readonly at: number; readonly tables: Promise<readonly TableStructure[]> }>();

  constructor(base: ToolBase) {
    this.#base = base;
  }

  /** Finds the drift of a table; undefined if the query fails or takes too long. */
  async drift(
    table: KnownTable,
    signal: AbortSignal,
    maxMs = Number.POSITIVE_INFINITY,
  ): Promise<TableDrift | undefined> {
    try {
      const live = await within(this.#tables(table, signal), maxMs);
      if (live === undefined) return undefined;
      const found = live.find(({ schema, table: name }) => schema === table.schema && name === table.table);
      if (found === undefined) return { gone: [], added: [], isGone: true };
      const [known, now] = [table.columns, found.columns].map((columns) => columns.map(({ name }) => name));
      const hidden = new Set(
        Object.entries(this.#base.notes()?.tables.get(table.id)?.columns ?? {}).flatMap(
          ([name, { hidden: isHidden }]) => (isHidden ? [name] : []),
        ),
      );
      return {
        gone: (known ?? []).filter((name) => !now?.includes(name)),
        added: (now ?? []).filter((name) => !known?.includes(name) && !hidden.has(name)),
        isGone: false,
      };
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  #tables({ connection }: TablePath, signal: AbortSignal): Promise<readonly TableStructure[]> {
    const known = this.#read.get(connection);
    const at = this.#base.now().getTime();
    if (known && at - known.at < keptFor) return known.tables;
    const tables = this.#readTables(connection, signal);
    this.#read.set(connection, { at, tables });
    tables.catch(() => this.#read.delete(connection));
    return tables;
  }

  async #readTables(connection: string, signal: AbortSignal): Promise<readonly TableStructure[]> {
    const warehouse = await this.#base.options.openWarehouse(connection, signal);
    return (await warehouse.readStructure({ signal })).tables;
  }
}

/** Returns the result of work, or undefined if it takes longer than `maxMs`. The work then continues. */
async function within<T>(work: Promise<T>, maxMs: number): Promise<T | undefined> {
  if (!Number.isFinite(maxMs)) return work;
  return Promise.race([work, sleep(maxMs, undefined, { ref: false })]);
}

/** Describes drift in sentences without names, and in lines with names. */
export function describeDrift(drift: TableDrift | undefined): {
  readonly lines: readonly string[];
  readonly sentence: string;
} {
  if (drift === undefined) return { lines: [], sentence: "The database could not be asked whether this is still so." };
  if (drift.isGone) return { lines: [], sentence: "The database does not have this table any more. Scan it again." };
  const lines = [
    ...(drift.gone.length > 0 ? [`gone since the scan: ${drift.gone.slice(0, 20).join(", ")}`] : []),
    ...(drift.added.length > 0 ? [`new since the scan: ${drift.added.slice(0, 20).join(", ")}`] : []),
  ];
  const sentence = lines.length > 0 ? "The columns have changed since the scan: see the data." : "";
  return { lines, sentence };
}
