/** Identifies parts of an agent file for trust. Pure. */
import { isPlainObject } from "@bridle/protocol";

/**
 * Returns the path of a setting, with names of entries in place of their positions, because positions change with every entry that is
 * added.
 */
export function settingKey(field: string, config: object): string {
  const parts: string[] = [];
  let value: unknown = config;
  for (const part of field.split(".")) {
    parts.push(Array.isArray(value) ? nameOfEntry(value, part, parts) : part);
    value = typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined;
  }
  return JSON.stringify(parts);
}

/**
 * Returns the name of an entry. Entries without a name, or with the same name as another, are identified by position, and skills by their
 * texts.
 */
function nameOfEntry(list: readonly unknown[], index: string, path: readonly string[]): string {
  const names = list.map((entry) => {
    if (isPlainObject(entry)) return entry.name;
    return path.join(".") === "skills" ? entry : undefined;
  });
  const name = names[Number(index)];
  return typeof name === "string" && names.indexOf(name) === names.lastIndexOf(name) ? `=${name}` : index;
}

/** Returns a tool without the texts that only the model reads. */
export function withoutDescriptions(tool: object): object {
  const { description: _description, ...rest }: { readonly description?: unknown; readonly parameters?: unknown } =
    tool;
  return rest.parameters === undefined ? rest : { ...rest, parameters: withoutTexts(rest.parameters) };
}

/** Keys whose values the function gets. */
const values: ReadonlySet<string> = new Set(["default", "enum"]);

/** Removes the descriptions from a schema. A parameter can have the name `description`; its value is then a mapping, and is kept. */
function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([key, inner]) => key !== "description" || typeof inner !== "string");
  return Object.fromEntries(entries.map(([key, inner]) => [key, values.has(key) ? inner : withoutTexts(inner)]));
}
