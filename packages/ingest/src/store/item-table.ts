import { z } from "zod";
import type { StagedItem } from "../sources/source.ts";
import { stagedItemSchema } from "../sources/staged-item.ts";
import { jsonColumn, nullableText, type StoreDatabase } from "./store-database.ts";

const itemRow = z.object({
  item: jsonColumn(stagedItemSchema),
  added: z.number(),
  fetched: z.number(),
  changed: z.number(),
  built: nullableText,
  keys: jsonColumn(z.array(z.string())),
  withheld: jsonColumn(z.array(z.string())),
});

/** An item with the state from earlier runs. */
export interface StoredItem {
  readonly item: StagedItem;
  /** The run that saw the item first, the run that saw it last, and the run that saw its current version first. */
  readonly added: number;
  readonly fetched: number;
  readonly changed: number;
  /** The last version that was read completely. */
  readonly built?: string | undefined;
  /** The keys of the answers about that version. */
  readonly keys: readonly string[];
  /** Names of the item that are not shown because they address an assistant. */
  readonly withheld: readonly string[];
}

/** An item that its source no longer has. */
export interface RemovedItem {
  readonly id: string;
  readonly version: string;
  /** A new item with the same text, if the item was moved. */
  readonly movedTo?: string | undefined;
}

/** The number of items that are read at once. */
const pageSize = 200;

/** The current version of every item. */
export class ItemTable {
  readonly #database: StoreDatabase;
  /** The ids of hidden items, by source. */
  readonly #hidden = new Map<string, ReadonlySet<string>>();

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  read(source: string, id: string): StoredItem | undefined {
    return this.#database.get(itemRow, "SELECT * FROM items WHERE source = :source AND id = :id", { source, id });
  }

  /** Yields all items, or those of a source, sorted by source and id. Items may be changed during the iteration. */
  *list(source?: string): Iterable<StoredItem> {
    const condition = source === undefined ? "" : "source = :source AND";
    const select = `SELECT * FROM items WHERE ${condition} (source, id) > (:afterSource, :afterId)
      ORDER BY source, id LIMIT ${pageSize}`;
    let [afterSource, afterId] = ["", ""];
    for (;;) {
      const page = this.#database.all(itemRow, select, { ...(source && { source }), afterSource, afterId });
      yield* page.filter(({ item }) => !this.#hidden.get(item.source)?.has(item.id));
      const last = page.at(-1)?.item;
      if (last === undefined || page.length < pageSize) return;
      [afterSource, afterId] = [last.source, last.id];
    }
  }

  count(source?: string): number {
    const where = source === undefined ? "" : " WHERE source = :source";
    const row = z.object({ count: z.number() });
    const select = `SELECT count(*) AS count FROM items${where}`;
    const { count = 0 } = this.#database.get(row, select, { ...(source && { source }) }) ?? {};
    const hidden = source === undefined ? [...this.#hidden.values()] : [this.#hidden.get(source) ?? new Set()];
    return hidden.reduce((rest, { size }) => rest - size, count);
  }

  /** Hides items from lists and counts until `showAll`, for a run that shows a plan without them. */
  hide(source: string, ids: Iterable<string>): void {
    this.#hidden.set(source, new Set(ids));
  }

  showAll(): void {
    this.#hidden.clear();
  }

  hasVersion(version: string): boolean {
    const select = "SELECT 1 FROM items WHERE version = :version LIMIT 1";
    return this.#database.get(z.unknown(), select, { version }) !== undefined;
  }

  /** Stores the version of a fetched item, and the names that are withheld. */
  stage(item: StagedItem, run: number, withheld: readonly string[]): void {
    const upsert = `INSERT INTO items (source, id, version, item, added, fetched, changed, withheld)
      VALUES (:source, :id, :version, :item, :run, :run, :run, :withheld)
      ON CONFLICT (source, id) DO UPDATE SET version = :version, item = :item, fetched = :run, withheld = :withheld,
        changed = CASE WHEN version = :version THEN changed ELSE :run END`;
    const { source, id, version } = item;
    this.#database.run(upsert, {
      source,
      id,
      version,
      item: JSON.stringify(item),
      run,
      withheld: JSON.stringify(withheld),
    });
  }

  /** Records that a run has seen an unchanged item. Returns false if the item does not exist. */
  keep(source: string, id: string, run: number): boolean {
    const update = "UPDATE items SET fetched = :run WHERE source = :source AND id = :id";
    return this.#database.run(update, { source, id, run }).changes > 0;
  }

  /** Returns the items of a source that a run has not seen. */
  unseen(source: string, run: number): readonly RemovedItem[] {
    const row = z.object({ id: z.string(), version: z.string(), movedTo: nullableText });
    const select = `SELECT id, version, (SELECT min(other.id) FROM items other WHERE other.source = items.source
        AND other.version = items.version AND other.added = :run) AS movedTo
      FROM items WHERE source = :source AND fetched < :run ORDER BY id`;
    return this.#database.all(row, select, { source, run });
  }

  /** Removes the items of a source that a run has not seen. */
  removeUnseen(source: string, run: number): readonly RemovedItem[] {
    return this.#database.transaction(() => {
      const removed = this.unseen(source, run);
      this.#database.run("DELETE FROM items WHERE source = :source AND fetched < :run", { source, run });
      return removed;
    });
  }

  /** Stores that a version was read completely, and the keys of the answers about it. */
  setBuilt({ source, id, version }: StagedItem, keys: readonly string[]): void {
    const update = "UPDATE items SET built = :version, keys = :keys WHERE source = :source AND id = :id";
    this.#database.run(update, { source, id, version, keys: JSON.stringify(keys) });
  }
}
