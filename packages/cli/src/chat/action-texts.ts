/** The results of a chat's commands as text. Pure. */
import {
  type AnyTool,
  addToTotals,
  counted,
  type EventOf,
  formatCount,
  formatDuration,
  listCost,
  noTotals,
  type RememberedAnswer,
  type RunEvent,
  resolveAnnotations,
  totalTokens,
} from "@bridle/protocol";
import { z } from "zod";
import { type SlashCommand, slashCommands } from "./slash.ts";

/** The commands and keys of a chat. */
export function formatHelp(): string {
  const usage = ({ name, operand }: SlashCommand) => `/${name}${operand === undefined ? "" : ` ${operand}`}`;
  const lines = slashCommands.map((command: SlashCommand) => `${usage(command)}: ${command.summary}`);
  return [
    ...lines,
    "Enter sends. Ctrl-J, Alt-Enter or a backslash before Enter starts a new line.",
    "Esc stops the run. Up and down show your earlier prompts. Ctrl-C twice leaves.",
  ].join("\n");
}

/** Each tool with its kind and its annotations. */
export function formatTools(
  tools: readonly AnyTool[],
  kinds: Readonly<Record<string, string>>,
  builtins: readonly string[],
) {
  if (tools.length + builtins.length === 0) return "No tools: the model can only answer.";
  const lines = tools.map((tool) => {
    const facts = [...(kinds[tool.name] === undefined ? [] : [kinds[tool.name]]), ...listAnnotations(tool)];
    return `${tool.name}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}: ${firstSentence(tool.description)}`;
  });
  return [...lines, ...builtins.map((name) => `${name} (a tool of the host)`)].join("\n");
}

function listAnnotations({ annotations }: AnyTool): string[] {
  const { readOnly, destructive, idempotent, openWorld } = resolveAnnotations(annotations);
  return [
    ...(readOnly ? ["read-only"] : []),
    ...(destructive ? ["destructive"] : []),
    ...(idempotent ? ["idempotent"] : []),
    ...(openWorld ? ["open world"] : []),
  ];
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? text.trim();
}

const snapshotSchema = z.object({
  mode: z.string(),
  unattended: z.boolean(),
  disable: z.array(z.string()),
  rules: z.array(z.object({ tool: z.string(), when: z.record(z.string(), z.string()).optional(), then: z.string() })),
  annotations: z.record(z.string(), z.string()),
});

/** The rules in force, in order. Of all policies but the first, only the denials count. */
export function formatRules(snapshots: readonly string[]): string {
  if (snapshots.length === 0) return "No rules: all tools of the request may run.";
  return snapshots.map(formatPolicy).join("\nThe denials of the project's rules also apply:\n");
}

function formatPolicy(snapshot: string): string {
  const parsed = snapshotSchema.safeParse(JSON.parse(snapshot));
  if (!parsed.success) return snapshot;
  const { mode, unattended, disable, rules, annotations } = parsed.data;
  return [
    `Mode ${mode}${unattended ? ", unattended" : ""}`,
    ...(disable.length === 0 ? [] : [`Disabled: ${disable.join(", ")}`]),
    ...rules.map(({ tool, when, then }) => `${tool}${formatCondition(when)}: ${then}`),
    ...Object.entries(annotations).map(([name, decision]) => `tools marked ${name}: ${decision}`),
  ].join("\n");
}

/** Remembered answers. */
export function formatAnswers(answers: readonly RememberedAnswer[]): string {
  if (answers.length === 0) return "No answers are remembered.";
  const lines = answers.map(
    ({ tool, when, decision, scope, by }) =>
      `${tool}${formatCondition(when)}: ${decision}, remembered for ${scope}, by ${by}`,
  );
  return [...lines, '"bridle permissions remove" removes answers of the project.'].join("\n");
}

function formatCondition(when: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(when ?? {});
  return entries.length === 0 ? "" : ` if ${entries.map(([field, pattern]) => `${field} ~ ${pattern}`).join(", ")}`;
}

/** Tokens, cost and time of each finished run, and the sum of several. */
export function formatCosts(events: readonly RunEvent[]): string {
  const ends = events.filter((event) => event.type === "run.finished");
  if (ends.length === 0) return "No run has finished yet.";
  const lines = ends.map(({ result: { usage, cost, model, steps }, durationMs }, index) => {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
    const cached = cacheReadTokens + cacheWriteTokens;
    const parts = [
      `${formatCount(totalTokens(usage))} tokens (${formatCount(inputTokens)} in, ${formatCount(cached)} cached, ${formatCount(outputTokens)} out)`,
      ...listCost(cost),
      counted(steps, "step"),
      formatDuration(durationMs),
      ...(model === undefined ? [] : [model]),
    ];
    return `Run ${index + 1}: ${parts.join(", ")}`;
  });
  if (ends.length > 1) lines.push(formatTotal(ends));
  return lines.join("\n");
}

function formatTotal(ends: readonly EventOf<"run.finished">[]): string {
  const { usage, cost } = ends.reduce(addToTotals, noTotals);
  return `All runs: ${[counted(totalTokens(usage), "token"), ...listCost(cost)].join(", ")}`;
}
