import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentDefinition } from "@bridle/agent";
import { ConfigError, suggestion } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { resolveOwnPackages } from "../modules/resolve-own-packages.ts";

/** The default name of an agent file. */
export const defaultAgentFile = "agent.yaml";

/**
 * Loads an agent file. Its function tools can import `bridle` from any folder. If `text` is set, it is loaded in place of the file's
 * content.
 *
 * @throws AgentFileError with every problem in the file, or ConfigError.
 */
export async function loadAgentFile(
  file: string,
  { cwd, environment, packageRoot, trust }: Pick<AppContext, "cwd" | "environment" | "packageRoot" | "trust">,
  text?: string,
): Promise<AgentDefinition> {
  const { loadAgent } = await import("@bridle/agent"); // loads the agent schemas, which are not needed for runs without an agent
  resolveOwnPackages(packageRoot);
  return loadAgent(file, { cwd, environment, trust, text });
}

/** Whether there is an agent file with this name. */
export function agentFileExists(file: string, { cwd }: Pick<AppContext, "cwd">): boolean {
  return existsSync(resolve(cwd, file));
}

/** Throws ConfigError if the file does not exist. `subCommands` are names that the user may have meant instead of a file. */
export function requireAgentFile(
  file: string | undefined,
  { cwd }: Pick<AppContext, "cwd">,
  { command, subCommands }: { readonly command: string; readonly subCommands: readonly string[] },
): void {
  if (existsSync(resolve(cwd, file ?? defaultAgentFile))) return;
  if (file === undefined) {
    throw new ConfigError(
      `There is no ${defaultAgentFile} here. Name the agent file, as in "${command} desk/agent.yaml", or create one with "bridle init".`,
    );
  }
  const near = suggestion(file, subCommands).replace(/"(\w+)"/, `"${command} $1"`);
  throw new ConfigError(`${file} does not exist.${near} Name the file of an agent.`);
}
