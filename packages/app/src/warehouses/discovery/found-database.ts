/** A database that was found, as an entry of `context.connections`. */
export interface FoundDatabase {
  /** A suggested name for the connection. */
  readonly name: string;
  /** Where it was found, such as `shop.db` or `the variable DATABASE_URL`. */
  readonly source: string;
  /** The entry. Credentials are references such as `${DATABASE_URL}`. */
  readonly connection: Readonly<Record<string, unknown>>;
}

/** Derives a name for a connection; empty if the text contains nothing usable. */
export function connectionNameFrom(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  return /^[a-z]/.test(name) ? name : name === "" ? "" : `db_${name}`;
}
