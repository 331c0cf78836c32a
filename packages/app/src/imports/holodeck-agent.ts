/** Rules for the other blocks of files of HoloDeck: `claude`, `openai`, `deployment`, `observability`. */
import { isPlainObject } from "@bridle/protocol";
import type { YamlEdits } from "./yaml-edits.ts";

export function importBlocks(file: YamlEdits): void {
  importClaude(file);
  importOpenai(file);
  importCollector(file);
  if (file.has(["deployment"])) {
    file.remove(["deployment"], "Bridle deploys nothing. Run the command or your program in a container of your own.");
  }
}

const ownRules =
  "acceptAll asks about nothing, which a person has to confirm with i_understand_this_is_unsafe: true. Instead, the tools that this file names are allowed. Calls of MCP servers ask: add a rule for each tool that may run.";

function importClaude(file: YamlEdits): void {
  const claude = file.get(["claude"]);
  if (!isPlainObject(claude)) return;
  const { permission_mode: mode, i_understand_this_is_unsafe: isKnown } = claude;
  if (mode === "acceptAll" && isKnown !== true && !file.has(["policy"])) {
    file.remove(["claude", "permission_mode"], ownRules);
    file.set(["policy"], { rules: allowedTools(file, claude).map((tool) => ({ tool, then: "allow" })) }, ownRules);
  }
  const sessions = "Bridle has no server whose sessions it could limit; llm.limits of bridle.yaml limits runs.";
  for (const key of ["max_concurrent_sessions", "session_memory_estimate_mib"]) {
    if (claude[key] !== undefined) file.remove(["claude", key], sessions);
  }
  if (claude.subagents !== undefined) file.remove(["claude", "subagents"], "subagents are named in claude.agents.");
  for (const key of ["excluded_commands", "allow_unsafe"]) {
    const reason = "a list of commands does not fence a shell in. Write a rule for Bash in policy.";
    if (file.has(["claude", "bash", key])) file.remove(["claude", "bash", key], reason);
  }
}

/** The tools whose names the file shows. Only a server knows the names of its own tools. */
function allowedTools(file: YamlEdits, claude: Record<string, unknown>): string[] {
  const { web_search: search, file_system: files, bash } = claude;
  const isOn = (holder: unknown, key: string) => isPlainObject(holder) && holder[key] === true;
  const entries = file
    .find(["tools", "*"])
    .map((path) => file.get(path))
    .filter(isPlainObject);
  return [
    ...entries.flatMap(({ type, name }) => (type === "mcp" || typeof name !== "string" ? [] : [name])),
    ...(search === true ? ["WebSearch"] : []),
    ...(isOn(files, "read") ? ["Read", "Glob", "Grep"] : []),
    ...(isOn(files, "write") ? ["Write"] : []),
    ...(isOn(files, "edit") ? ["Edit"] : []),
    ...(isOn(bash, "enabled") ? ["Bash"] : []),
  ];
}

function importOpenai(file: YamlEdits): void {
  const openai = file.get(["openai"]);
  if (!isPlainObject(openai)) return;
  file.remove(["openai"], "the block is of HoloDeck's OpenAI backend. Bridle has the same limits for every host.");
  const { max_turns: turns, disallowed_tools: disallowed } = openai;
  if (typeof turns === "number" && !file.has(["execution", "max_steps"])) {
    file.set(["execution", "max_steps"], turns, "it takes the value of openai.max_turns.");
  }
  if (Array.isArray(disallowed) && disallowed.length > 0 && !file.has(["policy"])) {
    file.set(["policy"], { disable: disallowed }, "it takes the tools of openai.disallowed_tools.");
  }
}

/** Bridle sends OTLP over HTTP, for which collectors listen on another port. */
function importCollector(file: YamlEdits): void {
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
