/** The settings of one source: an entry of `context.sources`. */
import { ConfigError, isPlainObject, nearest, suggestion } from "@bridle/protocol";
import { z } from "zod";
import { sourceKinds, sourceSchemas } from "./registry.ts";

/** One entry of `context.sources`. */
export const sourceSettings = z.discriminatedUnion("type", sourceSchemas);
export type SourceSettings = z.output<typeof sourceSettings>;

/** The credential keys of all kinds. */
export const sourceSecretKeys: readonly string[] = [...new Set(sourceKinds.flatMap(({ secretKeys }) => secretKeys))];

/** Whether a source of this type reads from a service, unless it has a `path`. */
export function isServiceSource(type: string): boolean {
  return sourceKinds.some((kind) => kind.type === type && kind.reachesService);
}

/**
 * Checks settings of a source that do not come from a file, for example from a program.
 *
 * @throws ConfigError that names the first wrong key and the nearest valid key.
 */
export function parseSourceSettings(name: string, entry: unknown): SourceSettings {
  const parsed = sourceSettings.safeParse(entry);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  const field = ["context.sources", name, path].filter((part) => part !== "").join(".");
  throw new ConfigError(`The source ${name} cannot be read: ${explain(entry, path, issue)}`, { field });
}

function explain(entry: unknown, path: string, issue: z.core.$ZodIssue | undefined): string {
  const type = isPlainObject(entry) ? entry.type : undefined;
  const types = sourceKinds.map((kind) => kind.type);
  const kind = sourceKinds.find((each) => each.type === type);
  if (kind === undefined) {
    const near = typeof type === "string" ? suggestion(type, types) : "";
    return `there is no kind ${JSON.stringify(type)}.${near || ` There are: ${types.join(", ")}.`}`;
  }
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const known = Object.keys(kind.schema.shape);
    const [near] = nearest(key, known, 1);
    return `unknown key "${key}".${near === undefined ? ` There are: ${known.join(", ")}.` : ` Did you mean "${near}"?`}`;
  }
  return `${path || "it"} is wrong: ${issue?.message ?? "it cannot be read"}.`;
}
