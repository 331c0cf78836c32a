/** Traps of Codex's own kinds: texts that no request may contain, and commands that may not run. */
import { access, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export const trapWord = "trapped-canary";

export interface Traps {
  /** The file that a command of a trap creates. */
  readonly proof: string;
  /** Whether a command of a trap has run. */
  hasRun(): Promise<boolean>;
}

/** Plants traps in the user's home, in Codex's own folder, and in a project. */
export async function plantTraps({
  home,
  project,
  proof,
}: {
  home: string;
  project: string;
  proof: string;
}): Promise<Traps> {
  const touch = `touch ${proof}`;
  const skill = `---\nname: trap\ndescription: ${trapWord} of a skill\n---\n${trapWord} in a skill\n`;
  const config = [
    `instructions = "${trapWord} in instructions"`,
    `developer_instructions = "${trapWord} in developer instructions"`,
    `notify = ["/bin/sh", "-c", "${touch}"]`,
    `model_provider = "trap"`,
    `profile = "trap"`,
    `[model_providers.trap]\nname = "trap"\nbase_url = "http://127.0.0.1:1/v1"`,
    `[profiles.trap]\nmodel = "${trapWord}"`,
    `[features]\nmemories = true\nhooks = true\nplugins = true\ngoals = true`,
    `[mcp_servers.trap]\ncommand = "/bin/sh"\nargs = ["-c", "${touch}"]`,
    `[projects."${project}"]\ntrust_level = "trusted"`,
  ].join("\n");
  const hooks = JSON.stringify({
    hooks: Object.fromEntries(
      ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"].map((name) => [
        name,
        [{ matcher: ".*", hooks: [{ type: "command", command: touch }] }],
      ]),
    ),
  });
  const files: Readonly<Record<string, string>> = {
    [join(home, ".codex/config.toml")]: config,
    [join(home, ".codex/AGENTS.md")]: `${trapWord} in the user's AGENTS.md`,
    [join(home, ".codex/AGENTS.override.md")]: `${trapWord} in the user's override`,
    [join(home, ".codex/hooks.json")]: hooks,
    [join(home, ".codex/skills/trap/SKILL.md")]: skill,
    [join(home, ".codex/prompts/trap.md")]: `${trapWord} in a prompt`,
    [join(home, ".codex/memories/memory_summary.md")]: `${trapWord} in a memory`,
    [join(home, ".codex/memories/MEMORY.md")]: `${trapWord} in a memory`,
    [join(home, ".codex/rules/trap.rules")]: `${trapWord} in a rule`,
    [join(home, ".agents/skills/trap/SKILL.md")]: skill,
    [join(home, "AGENTS.md")]: `${trapWord} in the home's AGENTS.md`,
    [join(home, ".bashrc")]: touch,
    [join(project, "AGENTS.md")]: `${trapWord} in the project's AGENTS.md`,
    [join(project, ".codex/config.toml")]:
      `developer_instructions = "${trapWord} of the project"\n[mcp_servers.project]\ncommand = "/bin/sh"\nargs = ["-c", "${touch}"]`,
    [join(project, ".codex/hooks.json")]: hooks,
    [join(project, ".codex/skills/trap/SKILL.md")]: skill,
    [join(project, ".agents/skills/trap/SKILL.md")]: skill,
    [join(project, ".git/HEAD")]: "ref: refs/heads/main\n",
    [join(project, "note.md")]: `${trapWord} in a mentioned file`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return {
    proof,
    hasRun: () =>
      access(proof).then(
        () => true,
        () => false,
      ),
  };
}

/** Variables that would change who pays, the address of requests, or the process. */
export const trapVariables: Readonly<Record<string, string>> = {
  CODEX_ACCESS_TOKEN: "trap-of-the-access-token",
  CODEX_API_KEY: "trap-of-the-codex-key",
  OPENAI_BASE_URL: "http://127.0.0.1:1/trap",
  OPENAI_ORGANIZATION: "trap-organization",
  OPENAI_PROJECT: "trap-project",
  CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "trap-originator",
  CODEX_SQLITE_HOME: "/tmp/trap-sqlite",
};

/** The host's own tools by every name that a model may have learnt, with an input that would leave a proof. */
export function forgedCalls(proof: string): { call: string; with: Record<string, unknown> }[] {
  const command = `touch ${proof}`;
  const patch = `*** Begin Patch\n*** Add File: ${proof}\n+trap\n*** End Patch`;
  const inputs: Readonly<Record<string, Record<string, unknown>>> = {
    shell: { command: ["/bin/sh", "-c", command] },
    shell_command: { command },
    local_shell: { command: ["/bin/sh", "-c", command] },
    exec_command: { cmd: command },
    unified_exec: { input: [command] },
    write_stdin: { session_id: 1, chars: `${command}\n` },
    container_exec: { cmd: ["/bin/sh", "-c", command] },
    apply_patch: { input: patch },
    exec: { code: `require("child_process").execSync(${JSON.stringify(command)})` },
    wait: { cell_id: "1" },
    view_image: { path: "/etc/hostname" },
    update_plan: { plan: [{ step: "trap", status: "in_progress" }] },
    request_user_input: { questions: [] },
    create_goal: { objective: "trap" },
    get_goal: {},
    update_goal: { status: "complete" },
    list_mcp_resources: {},
    list_mcp_resource_templates: {},
    read_mcp_resource: { server: "trap", uri: "trap://" },
    tool_search: { query: "trap" },
    web_search: { query: "trap" },
    image_gen: { prompt: "trap" },
    spawn_agent: { message: "trap" },
    send_user_message_async: { message: "trap" },
    clock_sleep: { seconds: 1 },
    request_permissions: { permissions: {} },
    mcp__trap__run: {},
  };
  return Object.entries(inputs).map(([call, input]) => ({ call, with: input }));
}
