import { agentFields } from "@bridle/protocol";
import { z } from "zod";

const { file, flag, refused, text, wholeFrom } = agentFields;

const subagent = z
  .strictObject({
    description: text("The purpose of the subagent. The model uses it to choose a subagent."),
    prompt: text("The instructions of the subagent.").exactOptional(),
    prompt_file: file("A file with the instructions of the subagent, instead of prompt.").exactOptional(),
    tools: z
      .array(z.string().min(1))
      .exactOptional()
      .describe("The agent's tools that the subagent may call, by name. Default: all."),
    model: z
      .enum(["sonnet", "opus", "haiku", "inherit"])
      .exactOptional()
      .describe("The model of the subagent. Default: inherit, the model of the agent."),
  })
  .check(({ value, issues }) => {
    if ((value.prompt === undefined) !== (value.prompt_file === undefined)) return;
    const message = value.prompt ? "has both prompt and prompt_file. Keep one." : "has no prompt. Write one.";
    issues.push({ code: "custom", input: value, path: [], message });
  })
  .describe("A helper with its own conversation. The same rules apply to its calls.");

const bash = z
  .strictObject({
    enabled: flag("Opens Bash, which can run any command on this machine. Default: false.").exactOptional(),
    excluded_commands: refused("a list of commands does not protect a shell. Write a rule for Bash in policy."),
    allow_unsafe: refused("Bash does not run in a sandbox. Write a rule for Bash in policy."),
  })
  .describe("Claude Code's shell.");

const fileSystem = z
  .strictObject({
    read: flag("Opens Read, Glob and Grep. Default: false.").exactOptional(),
    write: flag("Opens Write. Default: false.").exactOptional(),
    edit: flag("Opens Edit, which changes only files that were read before. Default: false.").exactOptional(),
  })
  .check(({ value, issues }) => {
    if (!value.edit || value.read) return;
    const message = "also needs read: true, because Claude Code edits only files that it has read.";
    issues.push({ code: "custom", input: value, path: ["edit"], message });
  })
  .describe("Claude Code's tools for files on this machine.");

const thinking = z
  .strictObject({
    enabled: flag("Whether the model thinks before it answers.").exactOptional(),
    budget_tokens: wholeFrom(1024, "The budget of thinking tokens. Default: 10000.").max(100_000).exactOptional(),
  })
  .check(({ value, issues }) => {
    if (value.budget_tokens === undefined || value.enabled !== undefined) return;
    const message = "is for enabled: true. Add that, or remove it.";
    issues.push({ code: "custom", input: value, path: ["budget_tokens"], message });
  })
  .describe(
    "Extended thinking, for models up to 4.5. Newer models decide how much they think, and Bridle shows a warning.",
  );

const settingSources = z
  .array(z.enum(["user", "project", "local", "all"]))
  .check(({ value, issues }) => {
    if (!value.includes("all") || value.length === 1) return;
    issues.push({ code: "custom", input: value, path: [], message: 'has "all" and other layers. Write [all].' });
  })
  .describe(
    "Layers of Claude Code's own settings to load, with their CLAUDE.md and hooks. Hooks run outside of the rules, and Bridle shows a warning. Default: none.",
  );

/** The `claude` block of an agent file: the Claude Code tools that it opens, and its settings. By default, everything is closed. */
export const claudeConfig = z
  .strictObject({
    permission_mode: z
      .enum(["manual", "acceptEdits", "acceptAll"])
      .exactOptional()
      .describe(
        "Which calls run without approval: manual equals the policy mode normal; acceptEdits is manual plus Write and Edit; acceptAll equals yolo.",
      ),
    i_understand_this_is_unsafe: z.boolean().exactOptional().describe("Must be true for acceptAll."),
    max_turns: wholeFrom(1, "The maximum number of model responses in a run.").exactOptional(),
    max_budget_usd: z
      .number()
      .positive()
      .exactOptional()
      .describe("The maximum cost of a run in US dollars, by list prices. A more expensive run is ended."),
    effort: z
      .enum(["low", "medium", "high", "xhigh", "max"])
      .exactOptional()
      .describe("How much the model thinks and writes. Only for models from 4.6 on."),
    extended_thinking: thinking.exactOptional(),
    fallback_model: text("The model to use if the first one is overloaded.").exactOptional(),
    working_directory: file(
      "The working folder of Claude Code's own tools, instead of the project's folder. It does not limit their access: write rules for that.",
    ).exactOptional(),
    web_search: flag("Opens WebSearch. Default: false.").exactOptional(),
    bash: bash.exactOptional(),
    file_system: fileSystem.exactOptional(),
    agents: z
      .record(z.string().regex(/^[A-Za-z0-9_-]+$/), subagent)
      .exactOptional()
      .describe("Subagents by name."),
    allowed_tools: z
      .array(z.string().min(1))
      .exactOptional()
      .describe("The only tools that the model gets, chosen from the tools in the file and those opened here."),
    disallowed_tools: z.array(z.string().min(1)).exactOptional().describe("Tools that are hidden from the model."),
    setting_sources: settingSources.exactOptional(),
    subagents: refused("name the subagents in agents."),
    max_concurrent_sessions: refused(
      "set the number of concurrent runs of an account with llm.limits.maxConcurrency in bridle.yaml.",
    ),
    session_memory_estimate_mib: refused("set the number of waiting processes with llm.provider.pool in bridle.yaml."),
  })
  .check(({ value, issues }) => {
    if (value.permission_mode !== "acceptAll" || value.i_understand_this_is_unsafe) return;
    const message =
      "is acceptAll, which allows every call without asking. Add i_understand_this_is_unsafe: true, or write rules in policy.";
    issues.push({ code: "custom", input: value, path: ["permission_mode"], message });
  })
  .describe("Only for Claude Code: its own tools, which pass the same rules as yours, and its settings.");

export type ClaudeConfig = z.output<typeof claudeConfig>;
