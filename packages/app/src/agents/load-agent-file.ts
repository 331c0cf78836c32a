import { type AgentDefinition } from "@bridle/agent";
import { type Cli } from "../../../cli/src/command-line/cli.ts";
import { resolveOwnPackages } from "../modules/resolve-own-packages.ts";

/** Reads an agent's file, whose function tools may then import `bridle` wherever they lie. Throws AgentFileError with all that is wrong, and ConfigError. */
export async function loadAgentFile(file: string, { cwd, environment, packageRoot }: Cli): Promise<AgentDefinition> {
  const { loadAgent } = await import("@bridle/agent"); // with every schema of an agent, which other runs do not need
  resolveOwnPackages(packageRoot);
  return loadAgent(file, { cwd, environment });
}
