/**
 * Plants traps: files, hooks, servers and variables that would show in a request, or leave a mark on disk, if the boundary had a hole. All
 * traps are in temporary folders; a home's own settings are never touched.
 */
import { readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders } from "@bridle/core";
import { makeTemporaryFolder } from "@bridle/host-shared";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

export interface Traps {
  /** The project folder of the runs. Everything in it is a trap. */
  readonly project: string;
  /** A file with content that must never be sent. */
  readonly secretFile: string;
  /** The folder in which hooks, servers and tools leave a mark when they run. */
  readonly markFolder: string;
  /** Words that must never be sent, by the source that they would reveal. */
  readonly words: Readonly<Record<string, string>>;
  /** Returns the names of the hooks, servers and tools that ran. */
  marks(): Promise<string[]>;
  /** Returns traces of the project's conversations that the host has kept in its own folder and in the user's cache. */
  traces(): Promise<string[]>;
  remove(): Promise<void>;
}

const wordKinds = ["instructions", "skill", "command", "agent", "memory", "file", "settings", "output-style"] as const;

/**
 * Plants the traps of a project, and the notes for that project in a config folder. With `plantHome`, the config folder
 * and its home get all traps.
 */
export async function plantTraps(
  configDir: string,
  { plantHome = false, cacheDir = join(dirname(configDir), ".cache") } = {},
): Promise<Traps> {
  const root = await makeTemporaryFolder("bridle-boundary", "The proof of the boundary");
  const [project, markFolder] = [join(root, "outer", "project"), join(root, "marks")];
  const secretFile = join(project, "secret.txt");
  const words = Object.fromEntries(wordKinds.map((kind) => [kind, `trap-${kind}-word`]));
  const slug = project.replaceAll(/[^A-Za-z0-9]/g, "-");
  const memoryFolder = join(configDir, "projects", slug);
  const logFolder = join(cacheDir, "claude-cli-nodejs", slug);
  const files: Record<string, string> = {
    [secretFile]: `${words.file}\n`,
    [join(root, "outer", "CLAUDE.md")]: `${words.instructions} (parent)\n`,
    [join(memoryFolder, "memory", "MEMORY.md")]: `${words.memory}\n`,
    ...scope(join(project, ".claude"), project, "project", markFolder, words),
    ...(plantHome ? scope(configDir, dirname(configDir), "user", markFolder, words) : {}),
  };
  let made: string | undefined;
  async function plant(): Promise<void> {
    made = await makeMemoryFolder(memoryFolder, configDir);
    if (plantHome) await addUserServer(configDir, markFolder);
    makeFolders(markFolder);
    for (const [path, content] of Object.entries(files)) await write(path, content);
  }
  async function remove(): Promise<void> {
    if (made !== undefined) await removeFolder(memoryFolder, made);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
  try {
    await plant();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    project,
    secretFile,
    markFolder,
    words,
    marks: () => readdir(markFolder),
    traces: async () => [
      ...(await readdir(memoryFolder)).filter((name) => name !== "memory"),
      ...(await readdir(logFolder).catch(() => [])),
    ],
    remove,
  };
}

/** Creates a memory folder in the user's own folder, and returns the topmost folder that did not exist before. */
async function makeMemoryFolder(folder: string, configDir: string): Promise<string> {
  try {
    return makeFolders(folder, { isShared: true }) ?? folder;
  } catch (cause) {
    throw new ConfigError(
      `The proof of the boundary cannot put its traps into ${configDir}, the folder of Claude Code (${systemErrorCode(cause)}). Make it a folder that can be written to, or name another in CLAUDE_CONFIG_DIR.`,
      { field: "CLAUDE_CONFIG_DIR", cause },
    );
  }
}

/** Removes a folder and the parents that were created for it, down from `topmost`, unless they now contain something else. */
async function removeFolder(folder: string, topmost: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (let above = dirname(folder); above.length >= topmost.length; above = dirname(above)) {
    if (
      !(await rmdir(above).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

/**
 * Writes everything that one scope of settings can contain: `folder` is the scope's `.claude` folder, and `base` the folder that contains
 * it.
 */
function scope(
  folder: string,
  base: string,
  name: string,
  marks: string,
  words: Traps["words"],
): Record<string, string> {
  return {
    [join(base, "CLAUDE.md")]: `${words.instructions} (${name})\n`,
    [join(folder, "CLAUDE.md")]: `${words.instructions} (${name} folder)\n`,
    [join(folder, "rules", "trap.md")]: `${words.instructions} (${name} rules)\n`,
    [join(folder, "settings.json")]: JSON.stringify(settings(name, marks, words)),
    [join(folder, "settings.local.json")]: JSON.stringify(settings(`${name}-local`, marks, words)),
    [join(folder, "skills", "trap", "SKILL.md")]: frontMatter({ name: "trap", description: words.skill }),
    [join(folder, "commands", "trap.md")]: `${frontMatter({ description: words.command })}Say ${words.command}.\n`,
    [join(folder, "agents", "trap.md")]: frontMatter({ name: "trap", description: words.agent }),
    [join(folder, "output-styles", "trap.md")]:
      `${frontMatter({ name: "trap", description: "trap" })}${words["output-style"]}\n`,
    [join(base, ".mcp.json")]: JSON.stringify({ mcpServers: { [`trap-${name}`]: trapServer(name, marks) } }),
  };
}

function trapServer(name: string, marks: string): object {
  return { command: "/bin/sh", args: ["-c", `touch '${marks}/mcp-${name}'; cat`] };
}

/** Adds user-scope servers to the host's state file, and keeps the rest of the file. */
async function addUserServer(configDir: string, marks: string): Promise<void> {
  const path = join(configDir, ".claude.json");
  const state: unknown = JSON.parse(await readFile(path, "utf8").catch(() => "{}"));
  await write(path, JSON.stringify({ ...Object(state), mcpServers: { "trap-user": trapServer("user", marks) } }));
}

function settings(name: string, marks: string, words: Traps["words"]): object {
  const hook = (event: string) => [{ hooks: [{ type: "command", command: `touch '${marks}/hook-${name}-${event}'` }] }];
  const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];
  return {
    hooks: Object.fromEntries(events.map((event) => [event, hook(event)])),
    permissions: { allow: ["Bash", "Read", "Write", "Edit", "WebFetch"], defaultMode: "acceptEdits" },
    apiKeyHelper: `touch '${marks}/api-key-helper-${name}'; echo ${words.settings}`,
    env: { ANTHROPIC_CUSTOM_HEADERS: `x-trap: ${words.settings}` },
    enableAllProjectMcpServers: true,
    model: words.settings,
    outputStyle: "trap",
    language: words.settings,
  };
}

function frontMatter(fields: Record<string, string | undefined>): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`);
  return `---\n${lines.join("\n")}\n---\n`;
}

async function write(path: string, content: string): Promise<void> {
  makeFolders(dirname(path));
  await writeFile(path, content);
}
