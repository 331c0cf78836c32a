/** What the commands of a chat tell, as text. Pure. */
import {
  type AnyTool,
  counted,
  formatCost,
  formatCount,
  formatDuration,
  type RememberedAnswer,
  type RunEvent,
  totalTokens,
} from "@bridle/protocol";
import { z } from "zod";
import { type SlashCommand, slashCommands } from "./slash.ts";

/** What can be typed. */
export function helpText(): string {
  const usage = ({ name, operand }: SlashCommand) => `/${name}${operand === undefined ? "" : ` ${operand}`}`;
  const lines = slashCommands.map((command: SlashCommand) => `${usage(command)}: ${command.summary}`);
  return [
    ...lines,
    "Enter sends; Ctrl-J, Alt-Enter or a backslash before Enter begin another line.",
    "Esc stops the run. Up and down go through what you said. Ctrl-C twice leaves.",
  ].join("\n");
}

/** Each tool with what it is and what it promises. */
export function toolsText(
  tools: readonly AnyTool[],
  kinds: Readonly<Record<string, string>>,
  builtins: readonly string[],
) {
  if (tools.length + builtins.length === 0) return "No tools: the model can only talk.";
  const lines = tools.map((tool) => {
    const facts = [...(kinds[tool.name] === undefined ? [] : [kinds[tool.name]]), ...promisesOf(tool)];
    return `${tool.name}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}: ${firstSentence(tool.description)}`;
  });
  return [...lines, ...builtins.map((name) => `${name} (the host's own)`)].join("\n");
}

function promisesOf({ annotations = {} }: AnyTool): string[] {
  const { readOnly, destructive, idempotent, openWorld } = annotations;
  return [
    ...(readOnly ? ["changes nothing"] : []),
    ...(destructive ? ["destructive"] : []),
    ...(idempotent ? ["idempotent"] : []),
    ...(openWorld ? ["reaches beyond this machine"] : []),
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

/** The rules in force, in the order in which they count; of all but the first policy only the denials hold. */
export function rulesText(snapshots: readonly string[]): string {
  if (snapshots.length === 0) return "No rules: what is handed over may run.";
  return snapshots.map(policyText).join("\nWhat the project's own rules deny stays denied:\n");
}

/** `snapshot` is that of one policy. */
function policyText(snapshot: string): string {
  const parsed = snapshotSchema.safeParse(JSON.parse(snapshot));
  if (!parsed.success) return snapshot;
  const { mode, unattended, disable, rules, annotations } = parsed.data;
  return [
    `Mode ${mode}${unattended ? ", nobody is asked" : ""}`,
    ...(disable.length === 0 ? [] : [`Not offered: ${disable.join(", ")}`]),
    ...rules.map(({ tool, when, then }) => `${tool}${conditionOf(when)}: ${then}`),
    ...Object.entries(annotations).map(([name, verdict]) => `tools marked ${name}: ${verdict}`),
  ].join("\n");
}

/** Answers that hold from now on. */
export function answersText(answers: readonly RememberedAnswer[]): string {
  if (answers.length === 0) return "No answers are remembered.";
  const lines = answers.map(
    ({ tool, when, decision, scope, by }) =>
      `${tool}${conditionOf(when)}: ${decision}, remembered for ${scope}, by ${by}`,
  );
  return [...lines, '"bridle permissions remove" takes those of the project back.'].join("\n");
}

function conditionOf(when: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(when ?? {});
  return entries.length === 0 ? "" : ` when ${entries.map(([field, pattern]) => `${field} ~ ${pattern}`).join(", ")}`;
}

/** Tokens, costs and time of each run that has ended, and of all. */
export function costText(events: readonly RunEvent[]): string {
  const ends = events.filter((event) => event.type === "run.finished");
  if (ends.length === 0) return "No run has ended yet.";
  const lines = ends.map(({ result: { usage, cost, model, steps }, durationMs }, index) => {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
    const cached = cacheReadTokens + cacheWriteTokens;
    const parts = [
      `${formatCount(totalTokens(usage))} tokens (${formatCount(inputTokens)} in, ${formatCount(cached)} cached, ${formatCount(outputTokens)} out)`,
      ...(cost === undefined ? [] : [formatCost(cost)]),
      counted(steps, "step"),
      formatDuration(durationMs),
      ...(model === undefined ? [] : [model]),
    ];
    return `Run ${index + 1}: ${parts.join(", ")}`;
  });
  return lines.join("\n");
}
