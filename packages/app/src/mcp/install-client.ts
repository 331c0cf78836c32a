/** Adds and removes entries for `bridle mcp` in clients' files. `bridle mcp install --json` prints the result. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { defaultAgentFile, loadAgentFile, requireAgentFile } from "../agents/load-agent-file.ts";
import type { ProjectContext } from "../context/project-context.ts";
import { type PlannedChange, planInstall, planRemoval } from "./clients/install-entry.ts";
import { type InstallScope, installScopes, type McpClientName, mcpClients } from "./clients/mcp-clients.ts";

export const installedClientSchema = z.strictObject({
  client: z.enum(mcpClients),
  scope: z.enum(installScopes),
  name: z.string(),
  file: z.string(),
  action: z.enum(["install", "remove"]),
  /** Whether the file was written. */
  done: z.boolean(),
  difference: z.array(z.string()).readonly(),
});

export type InstalledClient = z.output<typeof installedClientSchema>;

export interface InstallClientOptions {
  readonly client: McpClientName;
  readonly scope?: InstallScope | undefined;
  /** The name of the entry. Default: `bridle`. */
  readonly name?: string | undefined;
  /** The agent file whose tools the client gets. Default: agent.yaml, if it exists. */
  readonly agent?: string | undefined;
  /** Whether the client gets the tools for the project's databases. */
  readonly context?: boolean | undefined;
  readonly allowWrites?: boolean | undefined;
  readonly remove?: boolean | undefined;
  /** Whether to change nothing. */
  readonly dryRun?: boolean | undefined;
  /** The command in a file that a project's users share, such as `["npx", "bridle"]`. */
  readonly ownCommand: readonly string[];
}

export interface InstallEffects {
  /** Asks whether the user agrees to the change. Called only if the file would change. */
  confirm(change: Pick<PlannedChange, "file" | "difference">): Promise<boolean>;
}

/** Adds the server to a client's file, or removes the server. Throws ConfigError if the file cannot be edited. */
export async function installClient(
  options: InstallClientOptions,
  context: ProjectContext,
  { confirm }: InstallEffects,
): Promise<InstalledClient> {
  const { client, scope = "user", name = "bridle", remove = false, dryRun = false } = options;
  const { projectDir } = context.project;
  const request = { client, scope, name, projectDir, server: serverCommand(options, context) };
  if (!remove) await requireServable(options, context);
  const plan = await (remove ? planRemoval(request, context) : planInstall(request, context));
  const { file, difference } = plan;
  const isWanted = difference.length > 0 && !dryRun && (await confirm({ file, difference }));
  if (isWanted) await plan.apply();
  const action = remove ? ("remove" as const) : ("install" as const);
  return installedClientSchema.parse({ client, scope, name, file, action, done: isWanted, difference });
}

/** A placeholder that the clients replace. */
const workspaceFolder = ["$", "{workspaceFolder}"].join("");

/** Requires trust in the folder and the agent now, because a client cannot ask for trust. */
async function requireServable(options: InstallClientOptions, context: ProjectContext): Promise<void> {
  const { agent } = options;
  if (agent !== undefined) requireAgentFile(agent, context, { command: "bridle mcp install", subCommands: [] });
  const file = servedFile(options, context);
  if (file === undefined) {
    await context.project.requireTrust();
    return;
  }
  const [{ effectiveFiles, findAgentProject }, definition] = await Promise.all([
    import("@bridle/agent"),
    loadAgentFile(file, context),
  ]);
  const { project } = context;
  await project.requireTrust(await effectiveFiles(definition, await findAgentProject(definition, { project })));
}

/** Returns the agent file that the entry serves: the named one, or the one in the folder in which the client starts the server. */
function servedFile(
  { agent, context: ofData = false, scope = "user" }: InstallClientOptions,
  { cwd, project }: Pick<ProjectContext, "cwd" | "project">,
) {
  if (agent !== undefined || ofData) return agent;
  const path = resolve(scope === "user" ? cwd : project.projectDir, defaultAgentFile);
  return existsSync(path) ? path : undefined;
}

/**
 * Creates the command in the entry. The user's own entry contains absolute paths, because desktop programs have another PATH. The entry of
 * a project works for everyone who uses the project.
 */
function serverCommand(options: InstallClientOptions, { cwd, packageRoot, project }: ProjectContext) {
  const { scope = "user", agent, context: ofData = false, allowWrites = false, client } = options;
  const flags = allowWrites ? ["--allow-writes"] : [];
  if (scope === "user") {
    const own = [process.execPath, join(packageRoot, "bin", "bridle.js")];
    const file = servedFile(options, { cwd, project });
    const isOfData = ofData || (file === undefined && project.connections.length > 0);
    const operand = file === undefined ? (isOfData ? ["--context"] : []) : [resolve(cwd, file)];
    return toCommand([...own, "mcp", ...operand, "--project-dir", project.projectDir, ...flags]);
  }
  // https://cursor.com/docs/context/mcp#config-interpolation and VS Code's variables reference
  const folder = client === "cursor" || client === "vscode" ? ["--project-dir", workspaceFolder] : [];
  const operand = agent === undefined ? (ofData ? ["--context"] : []) : [agent];
  return toCommand([...options.ownCommand, "mcp", ...operand, ...folder, ...flags]);
}

function toCommand([command = "bridle", ...args]: readonly string[]) {
  return { command, args };
}
