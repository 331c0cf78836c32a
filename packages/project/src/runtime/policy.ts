/** Resolves the rules for a project's runs: those of its file or of another file, overridden by the caller's options. */
import { resolve } from "node:path";
import { createPolicy, type PolicyConfig, type PolicyModeName, readTextFile } from "@bridle/core";
import { ConfigError, type Policy, type SourcePosition, systemErrorCode } from "@bridle/protocol";
import { shownPath } from "../config/locate.ts";
import type { Settings } from "../settings/settings.ts";
import { readPolicyScope } from "./policy-scope.ts";

export interface PolicyOptions {
  /** A YAML file whose `policy` key replaces the project's rules. A relative path is resolved against the working directory. */
  policyFile?: string | undefined;
  /** The mode. Overrides the mode of the file. */
  mode?: PolicyModeName | undefined;
  /** The name of the agent that runs, because a rule of the project may apply to some agents only. Set by `openAgent`. */
  agent?: string | undefined;
}

interface Found {
  readonly policy: PolicyConfig;
  readonly positions: Readonly<Record<string, SourcePosition>>;
}

/** Resolves the rules; undefined if neither the project nor the caller has rules. Throws ConfigError. */
export async function resolvePolicy(
  settings: Pick<Settings, "policy" | "positions" | "environment" | "projectDir">,
  { policyFile, mode, agent }: PolicyOptions,
  cwd: string = process.cwd(),
): Promise<Policy | undefined> {
  const found = policyFile === undefined ? ofProject(settings) : await readPolicy(policyFile, settings, cwd);
  if (found === undefined) return mode === undefined ? undefined : createPolicy({ mode });
  const positions = Object.entries(found.positions).map(([path, position]) => [
    path.replace(/^policy\./, ""),
    position,
  ]);
  const scope = await readPolicyScope(settings.projectDir, agent);
  try {
    return createPolicy({ ...found.policy, ...(mode && { mode }), positions: Object.fromEntries(positions) }, scope);
  } catch (error) {
    throw withPosition(error, found);
  }
}

function ofProject({ policy, positions }: Pick<Settings, "policy" | "positions">): Found | undefined {
  return policy && { policy, positions };
}

async function readPolicy(path: string, { environment }: Pick<Settings, "environment">, cwd: string): Promise<Found> {
  const full = resolve(cwd, path);
  const file = shownPath(full, cwd);
  const { parseConfig } = await import("../config/parse.ts");
  const { config, positions } = parseConfig(await readText(full, file), file, environment);
  const other = Object.keys(positions).find((key) => key !== "" && !/^policy(\.|$)/.test(key));
  if (other !== undefined) throw misplaced(`"${other}" is not part of a policy. Remove it.`, positions[other], file);
  if (config.policy) return { policy: config.policy, positions };
  throw misplaced('the file has no rules. Write them under the key "policy", as in bridle.yaml.', undefined, file);
}

async function readText(path: string, file: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    const reason = `the policy cannot be read (${systemErrorCode(cause)}). Correct the path.`;
    throw new ConfigError(reason, { position: { file }, field: "policy", cause });
  }
}

function misplaced(message: string, position: SourcePosition | undefined, file: string): ConfigError {
  return new ConfigError(message, { position: position ?? { file }, field: "policy" });
}

function withPosition(error: unknown, { positions }: Found): unknown {
  if (!(error instanceof ConfigError) || error.position || error.field === undefined) return error;
  const position = positions[error.field];
  return position ? new ConfigError(error.message, { position, field: error.field, cause: error }) : error;
}
