/** Rules for the other blocks of HoloDeck files: `claude`, `openai`, `deployment`, `observability`. */
import { isPlainObject } from "@bridle/protocol";
import type { YamlEdits } from "./yaml-edits.ts";

export function importBlocks(file: YamlEdits): void {
  const instructions = file.get(["instructions"]);
  if (typeof instructions === "string") {
    file.set(["instructions"], { inline: instructions }, "instructions have a file or a text in inline.");
  }
  importClaude(file);
  importOpenai(file);
  importCollector(file);
  if (file.has(["deployment"])) {
    file.remove(["deployment"], "Bridle deploys nothing. Run the command or your program in a container of your own.");
  }
}

const ownRules =
  "acceptAll allows every call without asking, which a person has to confirm with i_understand_this_is_unsafe: true. Instead, the tools that this file names are allowed. Calls of MCP servers ask: add a rule for each tool that may run.";

function importClaude(file: YamlEdits): void {
  const claude = file.get(["claude"]);
  if (!isPlainObject(claude)) return;
  const { permission_mode: mode, i_understand_this_is_unsafe: isKnown } = claude;
  if (mode === "acceptAll" && isKnown !== true && !file.has(["policy"])) {
    file.remove(["claude", "permission_mode"], ownRules);
    file.set(["policy"], { rules: allowedTools(file, claude).map((tool) => ({ tool, then: "allow" })) }, ownRules);
  }
  const sessions = "Bridle has no sessions to limit here. llm.limits in bridle.yaml limits runs.";
  const own = "Bridle redacts credentials, and passes a process only the variables that are named for it.";
  const removed = { max_concurrent_sessions: sessions, session_memory_estimate_mib: sessions };
  const guards = { disable_default_hooks: own, disable_subprocess_env_scrub: own };
  for (const [key, reason] of Object.entries({ ...removed, ...guards })) {
    if (claude[key] !== undefined) file.remove(["claude", key], reason);
  }
  if (claude.subagents !== undefined) file.remove(["claude", "subagents"], "subagents are named in claude.agents.");
  for (const key of ["excluded_commands", "allow_unsafe"]) {
    const reason = "a list of commands does not fence a shell in. Write a rule for Bash in policy.";
    if (file.has(["claude", "bash", key])) file.remove(["claude", "bash", key], reason);
  }
  importHostTools(file);
}

const webSearch = /^web[-_]?search$/i;

/** Changes settings of the `claude` block: the name of a tool to Claude Code's name, and limits to values that Claude accepts. */
function importHostTools(file: YamlEdits): void {
  for (const path of file.find(["claude", "allowed_tools", "*"])) {
    const name = file.get(path);
    if (typeof name !== "string" || name === "WebSearch" || !webSearch.test(name)) continue;
    file.set(path, "WebSearch", "it is Claude Code's name of the tool.");
  }
  const budget = ["claude", "extended_thinking", "budget_tokens"];
  const tokens = file.get(budget);
  if (typeof tokens === "number" && tokens < 1024) file.set(budget, 1024, "it is the least that Claude accepts.");
}

/** Returns the tools that the file names. The tools of a server are not known here, because only the server lists them. */
function allowedTools(file: YamlEdits, claude: Record<string, unknown>): string[] {
  const { web_search: search, file_system: files, bash } = claude;
  const isOn = (holder: unknown, key: string) => isPlainObject(holder) && holder[key] === true;
  const entries = file
    .find(["tools", "*"])
    .map((path) => file.get(path))
    .filter(isPlainObject);
  return [
    ...entries.flatMap(({ type, name }) => (isOneTool(type) && typeof name === "string" ? [name] : [])),
    ...(search === true ? ["WebSearch"] : []),
    ...(isOn(files, "read") ? ["Read", "Glob", "Grep"] : []),
    ...(isOn(files, "write") ? ["Write"] : []),
    ...(isOn(files, "edit") ? ["Edit"] : []),
    ...(isOn(bash, "enabled") ? ["Bash"] : []),
  ];
}

function isOneTool(type: unknown): boolean {
  return type === "function" || type === "vectorstore" || type === "hierarchical_document";
}

function importOpenai(file: YamlEdits): void {
  const openai = file.get(["openai"]);
  if (!isPlainObject(openai)) return;
  const { max_turns: turns, permissions, agents } = openai;
  const asFiles = agents === undefined ? "" : " Write each of its agents in a file, and name it with type: agent.";
  file.remove(["openai"], `${ofOpenai}${asFiles}`);
  const lists = [openai.disallowed_tools, isPlainObject(permissions) ? permissions.disallowed_tools : undefined];
  const disallowed = [...new Set(lists.flatMap((each) => (Array.isArray(each) ? each : [])))];
  if (typeof turns === "number" && !file.has(["execution", "max_steps"])) {
    file.set(["execution", "max_steps"], turns, "it takes the value of openai.max_turns.");
  }
  if (disallowed.length > 0 && !file.has(["policy"])) {
    file.set(["policy"], { disable: disallowed }, "it takes the tools of openai.disallowed_tools.");
  }
}

const ofOpenai =
  "the block is for HoloDeck's OpenAI backend. Bridle uses max_turns and disallowed_tools, and does not support the other settings.";

/** Changes OTLP to HTTP, because Bridle sends OTLP over HTTP. Collectors use different ports for HTTP and gRPC. */
function importCollector(file: YamlEdits): void {
  const upload = ["observability", "disable_provider_tracing"];
  if (file.has(upload)) file.remove(upload, "Bridle sends no spans to a provider of models.");
  const path = ["observability", "exporters", "otlp"];
  const otlp = file.get(path);
  if (!isPlainObject(otlp)) return;
  if (otlp.protocol !== "http") {
    file.set([...path, "protocol"], "http", "Bridle sends OTLP over HTTP. HoloDeck's default is gRPC.");
    const { endpoint } = otlp;
    if (typeof endpoint === "string" && endpoint.endsWith(":4317")) {
      const port = "collectors receive OTLP over HTTP on port 4318.";
      file.set([...path, "endpoint"], endpoint.replace(/4317$/, "4318"), port);
    }
  }
  if (otlp.insecure !== undefined) file.remove([...path, "insecure"], "http or https in endpoint decides about TLS.");
}
