import type { EnvironmentValue } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import type { AgentConfig } from "../config/schema.ts";
import { findKind } from "../tool-kinds/find-kind.ts";

/** Credentials in files that the entries of `tools` name, such as a server's `env_file`. They are redacted in all output. */
export async function secretFileValues(
  { tools = [] }: Pick<AgentConfig, "tools">,
  baseDir: string,
  kinds: readonly ToolKind[],
): Promise<EnvironmentValue[]> {
  const read = tools.map(async (tool, index) => {
    const secrets = (await findKind(tool, kinds).readSecretFiles?.(tool, baseDir)) ?? [];
    return secrets.map(({ name, value }) => ({ value, shown: `(tools.${index}.${name})` }));
  });
  return (await Promise.all(read)).flat();
}
