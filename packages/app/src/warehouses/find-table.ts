import { type Knowledge, type KnownTable, splitIdentifier } from "@bridle/context";
import { InvalidRequestError, NotFoundError, nearest } from "@bridle/protocol";

/**
 * Finds the table that the user means: by its identifier, or by its last parts if they are unambiguous. Case-insensitive.
 *
 * @throws InvalidRequestError if no table or several tables have the name.
 */
export function findTable(name: string, knowledge: Knowledge): KnownTable {
  const exact = knowledge.table(name);
  if (exact) return exact;
  const parts = splitParts(name);
  const named = new Map<string, string>(); // compares as many of the last parts as the name has
  const matching: KnownTable[] = [];
  for (const table of knowledge.tables()) {
    const own = [table.connection, table.schema, table.table].slice(-parts.length);
    named.set(own.join("."), table.id);
    if (own.every((part, index) => part.toLowerCase() === parts[index]?.toLowerCase())) matching.push(table);
  }
  const [only, ...others] = matching;
  if (only && others.length === 0) return only;
  if (only) {
    const found = matching.slice(0, 5).map(({ id }) => id);
    throw new InvalidRequestError(`${name} could be ${found.join(" or ")}. Write the whole identifier.`);
  }
  if (named.size === 0) throw nothingScanned();
  const close = nearest(name, [...named.keys()], 3).map((text) => named.get(text));
  const remedy = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : "Look for it with bridle context search.";
  throw new NotFoundError(`There is no table ${name}. ${remedy}`);
}

export function nothingScanned(): NotFoundError {
  return new NotFoundError('No warehouse has been scanned yet. Run "bridle context scan" first.');
}

function splitParts(name: string): readonly string[] {
  return splitIdentifier(name) ?? [name];
}
