import type { MetabaseCollection } from "./metabase-schema.ts";

/** Metabase's collections, and which of them to read. */
export class CollectionTree {
  readonly #byId: ReadonlyMap<string, MetabaseCollection>;
  readonly #wanted: ReadonlySet<string> | undefined;

  /** @param wanted ids or names. Undefined means all except personal collections. */
  constructor(collections: readonly MetabaseCollection[], wanted: readonly string[] | undefined) {
    this.#byId = new Map(collections.map((each) => [String(each.id), each]));
    this.#wanted = wanted === undefined ? undefined : new Set(wanted.map((each) => each.toLowerCase()));
  }

  /** Wanted collections that do not exist or are not visible. */
  get unknown(): readonly string[] {
    const known = new Set([...this.#byId.values()].flatMap(({ id, name }) => [String(id), name.toLowerCase()]));
    return [...(this.#wanted ?? [])].filter((each) => !known.has(each) && each !== "root");
  }

  /** Whether the cards in a collection are read. A card in the root has no collection. Cards in an unknown collection are left out. */
  isRead(collection: number | null | undefined): boolean {
    const path = this.#path(collection);
    if (path === undefined || path.some(({ archived }) => archived)) return false;
    if (this.#wanted === undefined) return !path.some(isPersonal);
    if (path.length === 0) return this.#wanted.has("root");
    return path.some(({ id, name }) => this.#wanted?.has(String(id)) || this.#wanted?.has(name.toLowerCase()));
  }

  namesOf(collection: number | null | undefined): readonly string[] {
    return (this.#path(collection) ?? []).map(({ name }) => name);
  }

  isOfficial(collection: number | null | undefined): boolean {
    return this.#path(collection)?.at(-1)?.authority_level === "official";
  }

  /** Returns the path of a collection, outermost first: empty for the root, and undefined for an unknown collection. */
  #path(collection: number | null | undefined): readonly MetabaseCollection[] | undefined {
    if (collection === null || collection === undefined) return [];
    const own = this.#byId.get(String(collection));
    if (own === undefined) return undefined;
    const above = (own.location ?? "/").split("/").filter((id) => id !== "");
    return [...above.flatMap((id) => this.#byId.get(id) ?? []), own];
  }
}

function isPersonal({ personal_owner_id, is_personal }: MetabaseCollection): boolean {
  return is_personal === true || (personal_owner_id !== null && personal_owner_id !== undefined);
}
