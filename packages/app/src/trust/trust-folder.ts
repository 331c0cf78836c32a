import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  findEnvironmentEffects,
  findForeignState,
  formatStates,
  openProject,
  type Project,
  realPath,
  StoredTrust,
  summarizeTrust,
  trustEverything,
  trustSchema,
} from "@bridle/project";
import {
  ConfigError,
  canonicalJson,
  type EffectiveFile,
  effectKinds,
  type FolderEffect,
  isBridleError,
  type TrustedState,
} from "@bridle/protocol";
import { z } from "zod";
import { defaultAgentFile, loadAgentFile } from "../agents/load-agent-file.ts";
import type { AppContext } from "../context/app-context.ts";
import { findServedAgents } from "../serving/served-agents.ts";

/** The output of `bridle trust --json`. */
export const trustReportSchema = trustSchema.extend({
  /** The files that were checked. */
  files: z.array(z.string()),
});
export type TrustReport = z.output<typeof trustReportSchema>;

/** The output of `bridle trust --list --json`. */
export const trustedFilesSchema = z.array(
  z.strictObject({
    path: z.string(),
    at: z.string(),
    effects: z.array(z.strictObject({ kind: z.enum(effectKinds), subject: z.string() })),
  }),
);
export type TrustedFiles = z.output<typeof trustedFilesSchema>;

type TrustContext = Pick<AppContext, "cwd" | "environment" | "packageRoot">;

/** The effects of a folder or an agent file, as data and as text. */
export interface ShownTrust {
  readonly report: TrustReport;
  readonly text: string;
}

/** Shows the effects of a folder's files. Runs nothing. Throws ConfigError. */
export async function showTrust(path: string | undefined, context: TrustContext): Promise<ShownTrust> {
  const files = await findFiles(path, context);
  return describe(await new StoredTrust(context).check(files));
}

/**
 * Trusts the current content of a folder's files. With `isAuthor`, the user is the author of the code in the folder, and is not asked about
 * their own edits. Throws ConfigError.
 */
export async function trustFolder(
  path: string | undefined,
  context: TrustContext,
  { isAuthor = false }: { readonly isAuthor?: boolean | undefined } = {},
): Promise<ShownTrust> {
  const trust = new StoredTrust(context);
  const files = await findFiles(path, context);
  const before = await trust.check(files); // to show what has changed since the files were trusted
  const author = isAuthor ? authorFolder(path, context) : undefined;
  await trust.accept(
    files.filter((file) => file.effects.length > 0),
    author,
  );
  const { isTrusted } = summarizeTrust(await trust.check(await findFiles(path, context)));
  const { report, text } = describe(before);
  return { report: { ...report, isTrusted }, text };
}

function authorFolder(path: string | undefined, { cwd }: TrustContext): string {
  const target = resolve(cwd, path ?? ".");
  return statSync(target).isDirectory() ? target : dirname(target);
}

/**
 * Trusts the files that a command has just created in a folder. If that is not possible, for example because a variable is missing, the
 * user is asked later. The user is recorded as the author of the folder.
 */
export async function trustCreated(folder: string, names: readonly string[], context: TrustContext): Promise<void> {
  const created = names.map((name) => join(folder, name));
  try {
    const files = (await findFiles(folder, context)).filter(({ path }) => created.includes(path));
    const trusted = files.filter(({ effects }) => effects.length > 0);
    if (trusted.length > 0) await new StoredTrust(context).accept(trusted, folder);
  } catch (error) {
    if (!isBridleError(error)) throw error;
  }
}

/** The files that are currently trusted, and that can stay trusted if only their rules change. */
interface KeptTrust {
  /** Trusts the files with their new rules. Call it only if the new rules remove no protection. */
  keep(): Promise<void>;
}

/**
 * Remembers which files of a project the user trusts before the project's rules change. The rules are part of the trusted content of each
 * agent, including agents that other agents call. `agents` are the files of further agents. Never throws: if trust cannot be kept, the user
 * is asked again.
 */
export async function noteTrust(agents: readonly string[], context: TrustContext): Promise<KeptTrust> {
  const trust = new StoredTrust(context);
  const find = async () => {
    const found = [await findFiles(undefined, context)];
    for (const agent of agents) found.push(await findFiles(agent, context).catch(ignoreUnusable));
    return new Map(found.flat().map((file) => [file.path, file]));
  };
  const trusted = await find()
    .then(async (files) => {
      const states = await trust.check([...files.values()]);
      return new Map(states.flatMap((state) => (state.isTrusted ? [[state.path, state.effects] as const] : [])));
    })
    .catch(ignoreUnusable);
  return {
    async keep() {
      if (!(trusted instanceof Map)) return;
      try {
        const files = [...(await find()).values()].filter(
          ({ path, effects }) => effects.length > 0 && onlyRulesDiffer(path, trusted.get(path), effects),
        );
        await trust.accept(files);
      } catch (error) {
        ignoreUnusable(error);
      }
    },
  };
}

/**
 * Whether only the rules differ. The rules in a project's file are several effects; an agent file has one effect for the rules in force.
 */
function onlyRulesDiffer(
  path: string,
  before: readonly FolderEffect[] | undefined,
  now: readonly FolderEffect[],
): boolean {
  if (before === undefined || before.length === 0) return false;
  const fields = basename(path) === "bridle.yaml" ? /^policy(?:\.|$)/ : /^policy$/;
  const known = new Set(before.map((effect) => canonicalJson(partsOf(effect))));
  return now.every(
    (effect) =>
      known.has(canonicalJson(partsOf(effect))) || (effect.kind === "skips-questions" && fields.test(effect.field)),
  );
}

function partsOf({ kind, subject, field, key = field, content }: FolderEffect) {
  return { kind, subject, key, content };
}

/** Stops trusting a file, or a folder with everything below it. Resolves with the paths of the files. Throws ConfigError. */
export function revokeTrust(path: string | undefined, context: TrustContext): Promise<string[]> {
  return new StoredTrust(context).revoke(resolve(context.cwd, path ?? "."));
}

/** Lists the files that the user trusts. Throws ConfigError. */
export async function listTrust(context: TrustContext): Promise<TrustedFiles> {
  return trustedFilesSchema.parse(await new StoredTrust(context).list());
}

/**
 * Finds the project file, state that others created, and the agent files. `path` is an agent file or a folder. For a project's folder, the
 * agent files are those of all agents that its server and commands use. For an agent file, the project is that of the working directory;
 * the rules of that project apply to the agent.
 */
async function findFiles(path: string | undefined, context: TrustContext): Promise<EffectiveFile[]> {
  const { cwd } = context;
  const target = resolve(cwd, path ?? ".");
  if (!existsSync(target)) {
    throw new ConfigError(`${path} does not exist. Name a folder, or the file of an agent.`, { field: "trust" });
  }
  const isFolder = statSync(target).isDirectory();
  const folder = isFolder ? target : dirname(target);
  const dotenv = findEnvironmentEffects({ cwd: folder, environment: context.environment });
  const environment = { ...context.environment, ...dotenv?.variables }; // the files may refer to them
  const options = { environment, trust: trustEverything };
  const project = await openProject({ ...options, cwd: folder });
  const own = project.effectiveFile;
  const agent = isFolder ? join(target, defaultAgentFile) : target;
  const isAgent = existsSync(agent) && basename(agent) !== "bridle.yaml";
  const state = await findForeignState({ projectDir: project.projectDir, environment });
  const others = isFolder ? await findOtherAgents(agent, { folder, project, cwd }) : [];
  const using = isFolder ? project : await openProject({ ...options, cwd });
  const agents = await Promise.all([
    ...(isAgent ? [readAgents(agent, using, { ...context, environment })] : []),
    ...others.map((path) => readAgents(path, using, { ...context, environment }).catch(ignoreUnusable)),
  ]);
  const files = [...(own ? [own] : []), ...(dotenv ? [dotenv.file] : []), ...state, ...agents.flat()];
  return [...new Map(files.map((file) => [file.path, file])).values()]; // several agents may call the same agent
}

/** Finds the project's other agents, which its server and commands find without naming them. */
async function findOtherAgents(
  agent: string,
  { folder, project, cwd }: { readonly folder: string; readonly project: Project; readonly cwd: string },
): Promise<string[]> {
  const { projectDir } = project;
  if (realPath(folder) !== realPath(projectDir)) return [];
  const served = await findServedAgents([], { cwd, project });
  return served.list().flatMap(({ file }) => {
    const path = file === undefined ? agent : resolve(projectDir, file);
    return realPath(path) === realPath(agent) ? [] : [path];
  });
}

/** Ignores a file that cannot be used, which has no effect. Opening the file fails with the reason. */
function ignoreUnusable(error: unknown): EffectiveFile[] {
  if (isBridleError(error)) return [];
  throw error;
}

async function readAgents(path: string, project: Project, context: TrustContext): Promise<EffectiveFile[]> {
  const { effectiveFiles } = await import("@bridle/agent");
  return effectiveFiles(await loadAgentFile(path, { ...context, trust: trustEverything }), project);
}

function describe(states: readonly TrustedState[]): ShownTrust {
  const shown = states.filter((state) => state.effects.length > 0 || state.isChanged);
  return { report: { files: states.map(({ path }) => path), ...summarizeTrust(states) }, text: formatStates(shown) };
}
