/** MCP clients whose files Bridle can edit: the locations of the files and the format of an entry. */
import { isAbsolute, join } from "node:path";
import type { Environment } from "@bridle/project";
import { ConfigError } from "@bridle/protocol";

export const mcpClients = [
  "claude-desktop",
  "claude-code",
  "cursor",
  "vscode",
  "codex",
  "opencode",
  "gemini",
  "windsurf",
  "zed",
] as const;
export type McpClientName = (typeof mcpClients)[number];

export const installScopes = ["user", "project"] as const;
/** `user` for one user in every project, `project` for everyone in one project. */
export type InstallScope = (typeof installScopes)[number];

/** The command that a client starts. */
export interface EntryCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ClientFile {
  /** The possible files. The first one that exists is used, or else the first one. */
  readonly paths: readonly string[];
  readonly format: "json" | "toml";
  /** The keys that lead to the object with the servers. */
  readonly keys: readonly string[];
  /** Creates the value of the entry. */
  entry(server: EntryCommand): Readonly<Record<string, unknown>>;
}

interface Places {
  readonly environment: Environment;
  readonly projectDir: string;
  readonly platform: string;
}

interface ClientDefinition extends Omit<ClientFile, "paths"> {
  readonly client: McpClientName;
  user(places: Places): readonly string[];
  /** The path relative to the project; missing if the client has no such file. */
  readonly project?: readonly string[];
}

/** Claude Desktop's entry. Most clients use the same form. */
const plainEntry = ({ command, args }: EntryCommand) => ({ command, args });
const typedEntry = ({ command, args }: EntryCommand) => ({ type: "stdio", command, args });

const definitions: readonly ClientDefinition[] = [
  // https://code.claude.com/docs/en/mcp: "User scope" is `mcpServers` in ~/.claude.json, "Project scope" is .mcp.json.
  // With CLAUDE_CONFIG_DIR, the file is in that folder.
  {
    client: "claude-code",
    format: "json",
    keys: ["mcpServers"],
    entry: typedEntry,
    project: [".mcp.json"],
    user: (places) => [join(places.environment.CLAUDE_CONFIG_DIR || home(places), ".claude.json")],
  },
  // https://modelcontextprotocol.io/quickstart/user: macOS and Windows. Linux builds use the XDG folder.
  {
    client: "claude-desktop",
    format: "json",
    keys: ["mcpServers"],
    entry: plainEntry,
    user: (places) => [join(applicationFolder(places), "Claude", "claude_desktop_config.json")],
  },
  // https://cursor.com/docs/context/mcp: ~/.cursor/mcp.json and .cursor/mcp.json in a project.
  {
    client: "cursor",
    format: "json",
    keys: ["mcpServers"],
    entry: plainEntry,
    project: [".cursor/mcp.json"],
    user: (places) => [join(home(places), ".cursor", "mcp.json")],
  },
  // https://code.visualstudio.com/docs/agents/reference/mcp-configuration: `servers` in .vscode/mcp.json or in mcp.json of the
  // user's profile; https://code.visualstudio.com/docs/configure/settings: the folder of the default profile.
  {
    client: "vscode",
    format: "json",
    keys: ["servers"],
    entry: typedEntry,
    project: [".vscode/mcp.json"],
    user: (places) => [join(applicationFolder(places), "Code", "User", "mcp.json")],
  },
  // https://developers.openai.com/codex/mcp: [mcp_servers.NAME] in ~/.codex/config.toml, or .codex/config.toml in a trusted project.
  {
    client: "codex",
    format: "toml",
    keys: ["mcp_servers"],
    entry: plainEntry,
    project: [".codex/config.toml"],
    user: (places) => [join(places.environment.CODEX_HOME || join(home(places), ".codex"), "config.toml")],
  },
  // https://opencode.ai/docs/config and https://opencode.ai/docs/mcp-servers: `mcp` with one list for the command. Version 2 has
  // `mcp.servers`, and also reads the form of version 1: https://opencode.ai/docs/migrate-v1.
  {
    client: "opencode",
    format: "json",
    keys: ["mcp"],
    project: ["opencode.json", "opencode.jsonc"],
    entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
    user: (places) => ["opencode.json", "opencode.jsonc"].map((name) => join(xdgFolder(places), "opencode", name)),
  },
  // https://geminicli.com/docs/tools/mcp-server: `mcpServers` in ~/.gemini/settings.json or .gemini/settings.json in a project.
  {
    client: "gemini",
    format: "json",
    keys: ["mcpServers"],
    entry: plainEntry,
    project: [".gemini/settings.json"],
    user: (places) => [join(home(places), ".gemini", "settings.json")],
  },
  // https://docs.windsurf.com/windsurf/cascade/mcp: ~/.codeium/windsurf/mcp_config.json; projects have no file.
  {
    client: "windsurf",
    format: "json",
    keys: ["mcpServers"],
    entry: plainEntry,
    user: (places) => [join(home(places), ".codeium", "windsurf", "mcp_config.json")],
  },
  // https://zed.dev/docs/ai/mcp: `context_servers` in the settings. https://zed.dev/docs/configuring-zed: the settings files.
  {
    client: "zed",
    format: "json",
    keys: ["context_servers"],
    project: [".zed/settings.json"],
    entry: ({ command, args }) => ({ source: "custom", command, args }),
    user: (places) => [join(zedFolder(places), "settings.json")],
  },
];

/** Finds the file of a client. Throws ConfigError if the client has none for the scope, or the environment has no home folder. */
export function findClientFile(client: McpClientName, scope: InstallScope, places: Places): ClientFile {
  const found = definitions.find((each) => each.client === client);
  if (!found) throw new ConfigError(`${client} is not a known client. Known: ${mcpClients.join(", ")}.`);
  const { user, project, ...file } = found;
  if (scope === "user") return { ...file, paths: user(places) };
  if (project) return { ...file, paths: project.map((path) => join(places.projectDir, path)) };
  throw new ConfigError(`${client} has no file for projects. Leave --scope out.`);
}

function home({ environment: { HOME, USERPROFILE }, platform }: Places): string {
  const folder = platform === "win32" ? USERPROFILE || HOME : HOME;
  if (folder && isAbsolute(folder)) return folder;
  throw new ConfigError("The environment has no HOME, so the client's file cannot be found. Set it.");
}

function xdgFolder(places: Places): string {
  const { XDG_CONFIG_HOME: xdg } = places.environment;
  return xdg && isAbsolute(xdg) ? xdg : join(home(places), ".config");
}

/** Returns the folder of Zed's settings: on macOS also ~/.config, and only on Linux the XDG folder. */
function zedFolder(places: Places): string {
  if (places.platform === "win32") return join(applicationFolder(places), "Zed");
  return join(places.platform === "darwin" ? join(home(places), ".config") : xdgFolder(places), "zed");
}

/** Returns the folder where desktop programs keep settings. */
function applicationFolder(places: Places): string {
  if (places.platform === "darwin") return join(home(places), "Library", "Application Support");
  if (places.platform === "win32") return places.environment.APPDATA || join(home(places), "AppData", "Roaming");
  return xdgFolder(places);
}
