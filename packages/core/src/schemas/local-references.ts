/** Rewrites references to any place of the same JSON Schema, such as `#/properties/address`, because Zod reads only `#/$defs/NAME`. */
import { isPlainObject, type JsonSchema } from "@bridle/protocol";

export class LocalReferences {
  readonly #root: unknown;
  /** The name below `$defs` for each place that is referred to. */
  readonly #places = new Map<string, string>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Returns the reference in Zod's form. Throws an Error if its place does not exist. */
  rename(reference: string): string {
    if (!reference.startsWith("#/") || /^#\/\$defs\/[^/]+$/.test(reference)) return reference;
    if (findPlace(this.#root, reference) === undefined) throw new Error(`Reference not found: ${reference}`);
    const name = `at ${reference.slice(2).replaceAll("/", " ")}`;
    this.#places.set(name, reference);
    return `#/$defs/${name.replaceAll("~", "~0")}`;
  }

  /** Returns the schemas at all referenced places, including places that only another referenced schema refers to. */
  resolve(check: (schema: unknown, path: string) => JsonSchema | boolean): Record<string, JsonSchema | boolean> {
    const found: Record<string, JsonSchema | boolean> = {};
    for (const [name, reference] of this.#places) found[name] = check(findPlace(this.#root, reference), reference);
    return found; // iterating over a map also visits entries that are added during the iteration
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
