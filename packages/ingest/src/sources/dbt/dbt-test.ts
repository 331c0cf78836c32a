/** Reads generic dbt tests in the syntax of all dbt versions. */
import { isPlainObject } from "@bridle/protocol";
import type { YamlValue } from "../evidence/yaml-text.ts";

export interface DbtTest {
  /** The name, such as `unique` or `dbt_utils.unique_combination_of_columns`. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The condition for the rows that the test covers; undefined if it covers all rows. */
  readonly where: string | undefined;
  readonly at: YamlValue;
}

const ownKeys = ["name", "config", "severity", "where", "tags", "description", "enabled"];

/** Returns the enabled tests of a table or column. */
export function testsOf(entry: YamlValue): readonly DbtTest[] {
  return [...entry.list("data_tests"), ...entry.list("tests")].flatMap((at) => readTest(at) ?? []);
}

function readTest(at: YamlValue): DbtTest | undefined {
  const { value } = at;
  if (typeof value === "string") return { name: value, arguments: {}, where: undefined, at };
  if (!isPlainObject(value)) return undefined;
  const named = typeof value.test_name === "string" ? value.test_name : undefined;
  const [key] =
    named === undefined
      ? Object.keys(value).filter(
          (each) => !ownKeys.includes(each) || (isPlainObject(value[each]) && each !== "config"),
        )
      : [];
  const name = named ?? key;
  if (name === undefined) return undefined;
  const inner = named === undefined ? value[name] : value;
  const body = isPlainObject(inner) ? inner : {};
  const config = isPlainObject(body.config) ? body.config : {};
  if (config.enabled === false || body.enabled === false) return undefined;
  const where = config.where ?? body.where;
  const given = isPlainObject(body.arguments) ? body.arguments : body;
  return { name, arguments: given, where: typeof where === "string" ? where : undefined, at };
}

/** Returns the table that `ref('orders')`, `ref('package', 'orders')` or `source('raw', 'orders')` names. */
export function referredName(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const names = [...text.matchAll(/["']([^"']{1,300})["']/g)].map(([, name = ""]) => name);
  if (/^\s*(?:\{\{\s*)?ref\(/.test(text))
    return names.length > 0 && names.length <= 3 ? names[names.length > 1 ? 1 : 0] : undefined;
  if (/^\s*(?:\{\{\s*)?source\(/.test(text)) return names.length === 2 ? names.join(".") : undefined;
  return /^[\w.]+$/.test(text) ? text : undefined;
}
