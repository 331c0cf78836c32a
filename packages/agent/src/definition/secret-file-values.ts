import { type EnvironmentValue, isOutside } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import type { AgentConfig } from "../config/schema.ts";
import { findKind } from "../tool-kinds/find-kind.ts";
import { namedFiles } from "./named-files.ts";

interface SecretFileOptions {
  readonly baseDir: string;
  readonly kinds: readonly ToolKind[];
  /** Whether files outside of the folder are read. */
  readonly readsOutside: boolean;
}

/** Reads the credentials from files that entries of `tools` name, such as a server's `env_file`. They are redacted in all output. */
export async function secretFileValues(
  { tools = [] }: Pick<AgentConfig, "tools">,
  { baseDir, kinds, readsOutside }: SecretFileOptions,
): Promise<EnvironmentValue[]> {
  const read = tools.map(async (tool, index) => {
    const named = namedFiles({ tools: [tool] }, kinds);
    if (!readsOutside && named.some(({ name }) => isOutside(baseDir, name))) return [];
    const secrets = (await findKind(tool, kinds).readSecretFiles?.(tool, baseDir)) ?? [];
    return secrets.map(({ name, value }) => ({ value, shown: `(tools.${index}.${name})` }));
  });
  return (await Promise.all(read)).flat();
}
