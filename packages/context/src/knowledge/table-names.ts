import { nearest } from "@bridle/protocol";
import type { TablePath } from "../facts/identifiers.ts";
import { splitIdentifier } from "../facts/parse-identifier.ts";
import type { Knowledge } from "./knowledge.ts";
import type { IsVisible } from "./known.ts";

export type FoundName =
  | { readonly kind: "table"; readonly id: string; readonly column?: string | undefined }
  | { readonly kind: "several"; readonly ids: readonly string[] }
  | { readonly kind: "unknown"; readonly nearest: readonly string[] };

interface ListedTable extends TablePath {
  readonly id: string;
}

/** Finds the table that a model means, by the full name or its last parts. */
export class TableNames {
  readonly #knowledge: Knowledge;
  #version: string | undefined;
  #byName: ReadonlyMap<string, readonly ListedTable[]> = new Map();

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  find(name: string, isVisible: IsVisible): FoundName {
    this.#update();
    const parts = splitIdentifier(name.trim()) ?? [name.trim()];
    const tables = this.#match(parts, isVisible);
    const owners = tables.length > 0 || parts.length < 2 ? [] : this.#match(parts.slice(0, -1), isVisible);
    const found = tables.length > 0 ? tables : owners;
    const [first, ...others] = found;
    if (first === undefined) return { kind: "unknown", nearest: this.#nearest(parts, isVisible) };
    if (others.length > 0) return { kind: "several", ids: found.map(({ id }) => id) };
    return { kind: "table", id: first.id, column: tables.length > 0 ? undefined : parts.at(-1) };
  }

  /** Lists all visible tables, in order. */
  list(isVisible: IsVisible): readonly ListedTable[] {
    this.#update();
    return [...this.#byName.values()]
      .flat()
      .filter(isVisible)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #match(parts: readonly string[], isVisible: IsVisible): readonly ListedTable[] {
    const candidates = (this.#byName.get(parts.at(-1)?.toLowerCase() ?? "") ?? []).filter(isVisible);
    const matching = candidates.filter((table) => endsWith(table, parts));
    const exact = matching.filter(({ table }) => table === parts.at(-1));
    return exact.length > 0 ? exact : matching;
  }

  #nearest(parts: readonly string[], isVisible: IsVisible): readonly string[] {
    const visible = this.list(isVisible);
    const names = nearest(
      parts.at(-1) ?? "",
      visible.map(({ table }) => table),
      5,
    );
    return visible
      .filter(({ table }) => names.includes(table))
      .slice(0, 5)
      .map(({ id }) => id);
  }

  #update(): void {
    const version = this.#knowledge.version();
    if (version === this.#version) return;
    const listed = Array.from(this.#knowledge.tables(), ({ id, connection, schema, table }) => ({
      id,
      connection,
      schema,
      table,
    }));
    this.#byName = Map.groupBy(listed, ({ table }) => table.toLowerCase());
    this.#version = version;
  }
}

function endsWith({ connection, schema, table }: ListedTable, parts: readonly string[]): boolean {
  const own = [connection, schema, table].slice(-parts.length);
  return own.length === parts.length && own.every((part, index) => part.toLowerCase() === parts[index]?.toLowerCase());
}
