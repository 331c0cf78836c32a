/** References to any place of the same JSON Schema, such as `#/properties/address`. Zod reads only those to `#/$defs/NAME`. */
import { isPlainObject, type JsonSchema } from "@bridle/protocol";

export class LocalReferences {
  readonly #root: unknown;
  /** The places that are referred to, by their names below `$defs`. */
  readonly #places = new Map<string, string>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** The reference in Zod's form. Throws an Error if it leads nowhere. */
  rename(reference: string): string {
    if (!reference.startsWith("#/") || /^#\/\$defs\/[^/]+$/.test(reference)) return reference;
    if (findPlace(this.#root, reference) === undefined) throw new Error(`Reference not found: ${reference}`);
    const name = `at ${reference.slice(2).replaceAll("/", " ")}`;
    this.#places.set(name, reference);
    return `#/$defs/${name.replaceAll("~", "~0")}`;
  }

  /** The schemas at all referenced places, including references from one schema to another. */
  resolve(check: (schema: unknown, path: string) => JsonSchema | boolean): Record<string, JsonSchema | boolean> {
    const found: Record<string, JsonSchema | boolean> = {};
    for (const [name, reference] of this.#places) found[name] = check(findPlace(this.#root, reference), reference);
    return found; // iterating over a map also visits entries that are added meanwhile
  }
}

function findPlace(root: unknown, reference: string): unknown {
  const keys = reference.slice(2).split("/");
  return keys.reduce<unknown>((value, key) => {
    const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    return (isPlainObject(value) || Array.isArray(value)) && Object.hasOwn(value, name)
      ? Reflect.get(value, name)
      : undefined;
  }, root);
}
