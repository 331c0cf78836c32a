import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  findEnvironmentEffects,
  findForeignState,
  formatStates,
  openProject,
  type Project,
  StoredTrust,
  summarizeTrust,
  trustEverything,
  trustSchema,
} from "@bridle/project";
import { ConfigError, type EffectiveFile, effectKinds, isBridleError, type TrustedState } from "@bridle/protocol";
import { z } from "zod";
import { defaultAgentFile, loadAgentFile } from "../agents/load-agent-file.ts";
import type { AppContext } from "../context/app-context.ts";

/** The output of `bridle trust --json`. */
export const trustReportSchema = trustSchema.extend({
  /** The files that were looked at. */
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

/** What a folder or an agent's file would do, as data and as lines for people. */
export interface ShownTrust {
  readonly report: TrustReport;
  readonly text: string;
}

/** Shows what a folder's files do. Runs nothing. Throws ConfigError. */
export async function showTrust(path: string | undefined, context: TrustContext): Promise<ShownTrust> {
  const files = await findFiles(path, context);
  return describe(await new StoredTrust(context).check(files));
}

/**
 * Trusts a folder's files as they are now. With `isAuthor`, the user writes the code in the folder: their own edits are not asked
 * about. Throws ConfigError.
 */
export async function trustFolder(
  path: string | undefined,
  context: TrustContext,
  { isAuthor = false }: { readonly isAuthor?: boolean | undefined } = {},
): Promise<ShownTrust> {
  const trust = new StoredTrust(context);
  const files = await findFiles(path, context);
  const before = await trust.check(files); // the difference to what was trusted
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
 * Trusts the files that a command has just created in a folder. If that is not possible, for example because a variable is
 * missing, the user is asked later. The user is the author of the folder.
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

/** No longer trusts a file, or a folder with everything below it. Resolves with the paths of the files. Throws ConfigError. */
export function revokeTrust(path: string | undefined, context: TrustContext): Promise<string[]> {
  return new StoredTrust(context).revoke(resolve(context.cwd, path ?? "."));
}

/** The files that the user trusts. Throws ConfigError. */
export async function listTrust(context: TrustContext): Promise<TrustedFiles> {
  return trustedFilesSchema.parse(await new StoredTrust(context).list());
}

/**
 * The project's file, state of others, and the agent's file: `path` is an agent's file, or a folder with an `agent.yaml`.
 * An agent's file runs in the project of the working directory, whose rules it uses.
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
  return [
    ...(own ? [own] : []),
    ...(dotenv ? [dotenv.file] : []),
    ...state,
    ...(isAgent
      ? [
          ...(await readAgents(agent, isFolder ? project : await openProject({ ...options, cwd }), {
            ...context,
            environment,
          })),
        ]
      : []),
  ];
}

async function readAgents(path: string, project: Project, context: TrustContext): Promise<EffectiveFile[]> {
  const { effectiveFiles } = await import("@bridle/agent");
  return effectiveFiles(await loadAgentFile(path, { ...context, trust: trustEverything }), project);
}

function describe(states: readonly TrustedState[]): ShownTrust {
  const shown = states.filter((state) => state.effects.length > 0 || state.isChanged);
  return { report: { files: states.map(({ path }) => path), ...summarizeTrust(states) }, text: formatStates(shown) };
}
