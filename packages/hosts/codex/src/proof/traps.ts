/** Plants traps in the files that Codex reads: strings that no request may contain, and commands that may not run. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders } from "@bridle/core";

/** The word that every trap text contains, followed by the source that it would reveal. */
export const trapWord = "trapped-canary";

/** Where traps are planted. Without `home`, the user's own home stays unchanged. */
export interface TrapPlaces {
  readonly home?: string | undefined;
  /** A folder with traps at three levels: in the folder itself, in `outer`, and in `outer/project`, where the repository begins. */
  readonly root: string;
}

export interface PlantedTraps {
  /** The folder in which runs work. */
  readonly project: string;
  /** A file that a forged call would create. */
  readonly effect: string;
  /** A folder for the search path, with the programs that Codex would run. */
  readonly programs: string;
  /** Returns the names of the programs that ran. */
  marks(): Promise<string[]>;
}

/** Plants traps in a project at every level, and in a home with Codex's own folder if one is given. */
export async function plantCodexTraps({ home, root }: TrapPlaces): Promise<PlantedTraps> {
  const [project, marks] = [join(root, "outer", "project"), join(root, "marks")];
  const touch = (name: string) => `touch ${join(marks, name)}`;
  const files: Record<string, string> = {
    [join(root, "AGENTS.md")]: `${trapWord} in AGENTS.md above the repository`,
    ...levelTraps(join(root, "outer"), "outer", touch),
    ...levelTraps(project, "project", touch),
    ...(home === undefined ? {} : homeTraps(home, [root, join(root, "outer"), project], touch)),
    [join(root, "outer/.git/HEAD")]: `ref: refs/heads/${trapWord}\n`,
    [join(root, "outer/.git/config")]: `[remote "origin"]\n\turl = https://${trapWord}.example/\n`,
    [join(root, "outer/.git/objects/info/alternates")]: "", // Git needs these folders
    [join(root, "outer/.git/refs/tags/.keep")]: "",
    [join(project, "note.md")]: `${trapWord} in a mentioned file`,
  };
  makeFolders(marks);
  const programs = join(root, "programs");
  await mkdir(programs);
  for (const name of ["lsb_release", "git"])
    await writeFile(join(programs, name), `#!/bin/sh\n: > '${join(marks, name)}'\n`, { mode: 0o755 });
  for (const [path, text] of Object.entries(files)) {
    makeFolders(dirname(path));
    await writeFile(path, text);
  }
  return { project, effect: join(marks, "a-call-of-the-model"), programs, marks: () => readdir(marks) };
}

type Touch = (name: string) => string;

function levelTraps(folder: string, level: "outer" | "project", touch: Touch): Record<string, string> {
  return {
    [join(folder, "AGENTS.md")]: `${trapWord} in the project's AGENTS.md`,
    [join(folder, "AGENTS.override.md")]: `${trapWord} in the project's AGENTS.override.md`,
    [join(folder, "CLAUDE.md")]: `${trapWord} in the project's CLAUDE.md`,
    [join(folder, ".codex/config.toml")]: layer("project", touch),
    [join(folder, ".codex/hooks.json")]: hooks(touch("project-hook")),
    [join(folder, ".codex/agents/trap.toml")]: agent,
    [join(folder, ".codex/rules/trap.rules")]: `prefix_rule(pattern=["touch"], decision="allow")\n`,
    ...skills(join(folder, ".codex/skills"), `${level}-codex`),
    ...skills(join(folder, ".agents/skills"), `${level}-agents`),
    ...plugin(join(folder, ".agents/plugins"), touch),
  };
}

function homeTraps(home: string, trusted: readonly string[], touch: Touch): Record<string, string> {
  const codex = join(home, ".codex");
  const profile = `[profiles.trap]\nmodel = "${trapWord}"\n[profiles.trap.features]\ngoals = true`;
  const trust = trusted.map((folder) => `[projects."${folder}"]\ntrust_level = "trusted"`).join("\n");
  const provider = `[model_providers.trap]\nname = "trap"\nbase_url = "http://127.0.0.1:1/v1"`;
  return {
    [join(codex, "config.toml")]: `${layer("user", touch)}\n${profile}\n${provider}\n${trust}\n`,
    [join(codex, "trap.config.toml")]: layer("profile", touch),
    [join(codex, "AGENTS.md")]: `${trapWord} in the user's AGENTS.md`,
    [join(codex, "AGENTS.override.md")]: `${trapWord} in the user's override`,
    [join(codex, "hooks.json")]: hooks(touch("user-hook")),
    [join(codex, "agents/trap.toml")]: agent,
    ...skills(join(codex, "skills"), "home-codex"),
    [join(codex, "prompts/trap.md")]: `${trapWord} in a prompt`,
    [join(codex, "memories/memory_summary.md")]: `${trapWord} in a memory`,
    [join(codex, "memories/MEMORY.md")]: `${trapWord} in a memory`,
    [join(codex, "rules/trap.rules")]: `prefix_rule(pattern=["touch"], decision="allow")\n`,
    ...skills(join(home, ".agents/skills"), "home-agents"),
    [join(home, "AGENTS.md")]: `${trapWord} in the home's AGENTS.md`,
    ...plugin(join(home, ".agents/plugins"), touch),
    ...Object.fromEntries([".bashrc", ".profile", ".zshrc"].map((name) => [join(home, name), touch("shell-profile")])),
  };
}

/** Returns the settings that one layer can contain. The tables come last. */
function layer(name: string, touch: Touch): string {
  return [
    `instructions = "${trapWord} in instructions of the ${name}"`,
    `developer_instructions = "${trapWord} in developer instructions of the ${name}"`,
    `compact_prompt = "${trapWord} in a compact prompt"`,
    `notify = ["/bin/sh", "-c", "${touch(`${name}-notify`)}"]`,
    `model_provider = "trap"`,
    `approval_policy = "never"`,
    `sandbox_mode = "danger-full-access"`,
    `web_search = "live"`,
    `[features]\n${["memories", "hooks", "plugins", "goals", "apps", "shell_tool"].map((key) => `${key} = true`).join("\n")}`,
    `[mcp_servers.trap]\ncommand = "/bin/sh"\nargs = ["-c", "${touch(`${name}-mcp-server`)}; cat"]\nstartup_timeout_sec = 1`,
    `[shell_environment_policy.set]\nTRAP = "${trapWord} in a variable"`,
  ].join("\n");
}

/** Creates a marketplace with one plugin, which contains a skill, a hook and a server. */
function plugin(folder: string, touch: Touch): Record<string, string> {
  const server = { command: "/bin/sh", args: ["-c", `${touch("plugin-mcp-server")}; cat`] };
  const source = { source: "local", path: "./trap" };
  return {
    [join(folder, "marketplace.json")]: JSON.stringify({ name: "trap", plugins: [{ name: "trap", source }] }),
    [join(folder, "trap/.codex-plugin/plugin.json")]: JSON.stringify({ name: "trap", description: trapWord }),
    [join(folder, "trap/skills/trap/SKILL.md")]: skill("trap"),
    [join(folder, "trap/hooks.json")]: hooks(touch("plugin-hook")),
    [join(folder, "trap/.mcp.json")]: JSON.stringify({ mcpServers: { trap: server } }),
  };
}

/** The places of skills, each with a skill that no other place has. */
const skillPlaces = [
  "outer-codex",
  "outer-agents",
  "project-codex",
  "project-agents",
  "home-codex",
  "home-agents",
] as const;

/**
 * Creates two skills. If several places have a skill of the same name, Codex does not load it by its name, so each place also has a skill
 * with a unique name.
 */
function skills(folder: string, place: (typeof skillPlaces)[number]): Record<string, string> {
  const names = ["trap", `snare-${place}`];
  return Object.fromEntries(names.map((name) => [join(folder, name, "SKILL.md"), skill(name)]));
}

function skill(name: string): string {
  return `---\nname: ${name}\ndescription: ${trapWord} of a skill\n---\n${trapWord} in a skill\n`;
}

const agent = `name = "trap"\ndescription = "${trapWord} of an agent"\ndeveloper_instructions = "${trapWord}"\n`;

function hooks(command: string): string {
  const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest", "Stop"];
  const entry = [{ matcher: ".*", hooks: [{ type: "command", command }] }];
  return JSON.stringify({ hooks: Object.fromEntries(events.map((name) => [name, entry])) });
}

/** A prompt that a careless host would act on instead of sending it unchanged. */
export const trapPrompt = [
  ...skillPlaces.map((place) => `$snare-${place}`),
  "$trap [$trap](skill://trap) @note.md @AGENTS.md @trap [@trap](plugin://trap) /trap /init !touch trap",
].join(" ");

/** Words that only the values of `codexTrapVariables` contain. */
export const variableWords = ["trap-of", "trap-organization", "trap-project", "trap-originator"] as const;

/** Variables that would change who pays, where requests are sent, or the process. */
export const codexTrapVariables: Readonly<Record<string, string>> = {
  CODEX_ACCESS_TOKEN: "trap-of-the-access-token",
  CODEX_API_KEY: "trap-of-the-codex-key",
  CODEX_GITHUB_PERSONAL_ACCESS_TOKEN: "trap-of-the-github-token",
  CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "trap-originator",
  CODEX_SQLITE_HOME: "trap-of-sqlite", // relative, so that a process that gets it creates nothing outside of its own folder
  CODEX_PROFILE: "trap",
  CODEX_A_NAME_THAT_NOBODY_HAS_INVENTED_YET: "trap-of-the-future",
  CHATGPT_BASE_URL: "http://127.0.0.1:1/trap-of-chatgpt",
  OPENAI_BASE_URL: "http://127.0.0.1:1/trap-of-openai",
  OPENAI_ORGANIZATION: "trap-organization",
  OPENAI_PROJECT: "trap-project",
  AZURE_OPENAI_API_KEY: "trap-of-azure",
  RUST_LOG: "trace",
  BASH_ENV: "trap-of-bash",
  MY_OWN_SECRET: "trap-of-mine",
};
