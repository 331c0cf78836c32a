import { statSync } from "node:fs";
import { join } from "node:path";
import util from "node:util";
import { readTextFileSync } from "@bridle/core";
import { isMachineVariable } from "@bridle/host-shared";
import { type EffectiveFile, type FolderTrust, isBridleError, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import type { Environment } from "../config/variables.ts";
import { fileContent } from "../effects/effect-values.ts";
import { locateTenantProject } from "../namespace/resolve-environment.ts";
import { allHosts } from "../registries/host-registry.ts";
import { findOwnerFault } from "../trust/owner.ts";

const names = z.array(z.string());

/** The result of reading a project's `.env`. It contains the names of variables, never their values. */
export const environmentFileSchema = z.strictObject({
  path: z.string().describe("The path of the file."),
  read: names.describe("The variables that were taken from it."),
  set: names.describe("Variables of the file that were ignored, because the environment sets them."),
  refused: names.describe("Variables that are never taken from a file."),
  fault: z.string().nullable().describe("Why nothing was taken from it; null if it was read."),
});
export type EnvironmentFile = z.output<typeof environmentFileSchema>;

interface EnvironmentFileOptions {
  readonly cwd: string;
  readonly projectDir?: string | undefined;
  readonly environment: Environment;
  readonly trust: FolderTrust;
}

const fileName = ".env";

/**
 * Variables that make Bridle, or the programs that it starts, use other code or another repository. They are refused, as are the variables
 * of the machine and those of the hosts' own folders, which would lead to another login.
 */
const leading = /^(?:BRIDLE_|LD_|DYLD_|NODE_(?!ENV$)|BUN_|DENO_|PYTHON|GIT_|BASH_ENV$|ENV$)/i;

/**
 * Reads the `.env` in the project's folder, if it exists and is trusted. The caller has to set the variables in the
 * environment. Undefined without a file, or if the project cannot be found. Does not ask the user.
 */
export async function readEnvironmentFile(
  options: EnvironmentFileOptions,
): Promise<{ readonly file: EnvironmentFile; readonly variables: Readonly<Record<string, string>> } | undefined> {
  const path = findEnvironmentFile(options);
  if (path === undefined) return undefined;
  const none = { path, read: [], set: [], refused: [] };
  const owner = findOwnerFault(path);
  if (owner !== undefined) return { file: { ...none, fault: `it ${owner}` }, variables: {} };
  const found = parseFile(path);
  if (typeof found === "string") return { file: { ...none, fault: found }, variables: {} };
  const [state] = await options.trust.check([effectOf(path, found)]);
  if (state?.isTrusted !== true) return { file: { ...none, fault: "it is not trusted" }, variables: {} };
  const { taken, set, refused } = sortVariables(found, options.environment);
  return { file: { path, read: Object.keys(taken), set, refused, fault: null }, variables: taken };
}

/** Reads the `.env` of a project, even if it is not trusted: its effects and its variables. Undefined without a file. */
export function findEnvironmentEffects(
  options: Omit<EnvironmentFileOptions, "trust">,
): { readonly file: EffectiveFile; readonly variables: Readonly<Record<string, string>> } | undefined {
  const path = findEnvironmentFile(options);
  const found = path === undefined ? "" : parseFile(path);
  if (path === undefined || typeof found === "string") return undefined;
  return { file: effectOf(path, found), variables: sortVariables(found, options.environment).taken };
}

function findEnvironmentFile({ cwd, projectDir, environment }: Omit<EnvironmentFileOptions, "trust">) {
  try {
    const path = join(locateTenantProject({ projectDir, environment }, cwd).projectDir, fileName);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined; // a folder may have this name, too
  } catch (error) {
    if (isBridleError(error)) return undefined; // opening the project reports the error
    throw error;
  }
}

/** Reads the variables of a file, or returns why it cannot be read. */
function parseFile(path: string): Readonly<Record<string, string>> | string {
  try {
    const found = Object.entries(util.parseEnv(readTextFileSync(path))).sort(); // sorted, so that their order in the file does not matter
    return Object.fromEntries(found.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  } catch (error) {
    return `it cannot be read (${systemErrorCode(error)})`;
  }
}

/** Returns one effect for the whole file. All values need trust, because any of them can be an address or a command. */
function effectOf(path: string, found: Readonly<Record<string, string>>): EffectiveFile {
  const wanted = Object.keys(found).filter((name) => !isRefused(name));
  if (wanted.length === 0) return { path, effects: [] };
  const subject = `the ${wanted.length === 1 ? "variable" : "variables"} ${wanted.join(", ")} from this file`;
  return { path, effects: [{ kind: "reads", subject, field: fileName, content: fileContent(path) }] };
}

function sortVariables(found: Readonly<Record<string, string>>, environment: Environment) {
  const refused = Object.keys(found).filter(isRefused);
  const others = Object.entries(found).filter(([name]) => !refused.includes(name));
  const isSet = (name: string) => environment[name] !== undefined;
  const set = others.map(([name]) => name).filter(isSet);
  return { taken: Object.fromEntries(others.filter(([name]) => !isSet(name))), set, refused };
}

function isRefused(name: string): boolean {
  return isMachineVariable(name) || leading.test(name) || hostFolders().includes(name.toUpperCase());
}

/** Lists the variables that set the hosts' own folders, which contain logins. */
function hostFolders(): string[] {
  return allHosts().flatMap(({ tenant }) => Object.keys(tenant?.variables("") ?? {}));
}
