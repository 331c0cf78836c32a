import { type ReadTables, readTablesOf } from "@bridle/warehouse";
import { formatTableId, type TablePath } from "../facts/identifiers.ts";
import type { KnowledgeSources } from "./known.ts";

/** The rows of other tables that a view shows. */
export interface ShownByView {
  /** The other tables whose rows the view shows. */
  readonly reads: ReadTables;
  /** Whether the settings of the connection name the view, so that it need not be in a caller's `include`. */
  readonly isTrusted: boolean;
}

/** Finds scanned tables that show rows of other tables. Searches again after each change of the facts. */
export class ShownTables {
  readonly #sources: Pick<KnowledgeSources, "facts" | "rulesOf">;
  #version: string | undefined;
  #views: ReadonlyMap<string, ShownByView> = new Map();

  constructor(sources: Pick<KnowledgeSources, "facts" | "rulesOf">) {
    this.#sources = sources;
  }

  /** Returns undefined if all rows of the table are its own, or if no scan found the table. */
  get(path: TablePath): ShownByView | undefined {
    const version = this.#sources.facts.version();
    if (version !== this.#version) this.#views = this.#read();
    this.#version = version;
    return this.#views.get(formatTableId(path));
  }

  #read(): ReadonlyMap<string, ShownByView> {
    const views = new Map<string, ShownByView>();
    for (const table of this.#sources.facts.tables()) {
      const reads = readTablesOf(table);
      if (reads === undefined) continue;
      const isTrusted = this.#sources.rulesOf?.(table.connection)?.isTrustedView(table) ?? false;
      views.set(table.id, { reads, isTrusted });
    }
    return views;
  }
}
