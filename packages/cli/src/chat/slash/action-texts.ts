/** Formats the results of a chat's commands as text. Pure. */
import type { ContextFacts } from "@bridle/app/chat";
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
  type Usage,
} from "@bridle/protocol";
import { z } from "zod";
import { pairRows } from "../../terminal/pair-rows.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { tableLines } from "../../test-report/table.ts";
import { type SlashCommand, slashCommands } from "./slash.ts";

const keyTexts: readonly (readonly [key: string, text: string])[] = [
  ["@FILE", "send a file with the prompt: text, an image or a PDF; Tab completes its path"],
  ["Enter", "send; Ctrl-J, Alt-Enter or a backslash before Enter starts a new line"],
  ["Up, Down", "your earlier prompts, of earlier sessions too"],
  ["Ctrl-R", "search in them"],
  ["Esc", "stop the run"],
  ["Ctrl-C", "stop the run, or clear the line; twice leaves"],
];

/** Lists the commands and keys of a chat. */
export function formatHelp(width: number): string {
  const usage = ({ name, operand }: SlashCommand) => `/${name}${operand === undefined ? "" : ` ${operand}`}`;
  const commands = slashCommands.map((command: SlashCommand) => [usage(command), command.summary] as const);
  return pairRows([...commands, ...keyTexts], width).join("\n");
}

/** Lists each tool with its kind and its annotations. */
export function formatTools(
  tools: readonly AnyTool[],
  kinds: Readonly<Record<string, string>>,
  builtins: readonly string[],
  width: number,
): string {
  if (tools.length + builtins.length === 0) return "No tools: the model can only answer.";
  const rows = tools.map((tool) => {
    const facts = [...(kinds[tool.name] === undefined ? [] : [kinds[tool.name]]), ...listAnnotations(tool)];
    const marks = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
    return [toPrintableLine(tool.name), toPrintableLine(firstSentence(tool.description)) + marks] as const;
  });
  const ofHost = builtins.map((name) => [name, "a tool of the host"] as const);
  return pairRows([...rows, ...ofHost], width).join("\n");
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

/** Lists the rules in force, in order. The policies after the first can only deny. */
export function formatRules(snapshots: readonly string[], width: number): string {
  if (snapshots.length === 0) return "No rules: all tools of the request may run.";
  return snapshots.map((each) => formatPolicy(each, width)).join("\nThe denials of the project's rules also apply:\n");
}

function formatPolicy(snapshot: string, width: number): string {
  const parsed = snapshotSchema.safeParse(JSON.parse(snapshot));
  if (!parsed.success) return snapshot;
  const { mode, unattended, disable, rules, annotations } = parsed.data;
  return [
    `Mode ${mode}${unattended ? ", unattended" : ""}`,
    ...(disable.length === 0 ? [] : [`Disabled: ${disable.join(", ")}`]),
    ...pairRows(
      [
        ...rules.map(({ tool, when, then }) => [toPrintableLine(tool + formatCondition(when)), then] as const),
        ...Object.entries(annotations).map(([name, decision]) => [`tools marked ${name}`, decision] as const),
      ],
      width,
    ),
  ].join("\n");
}

/** Lists remembered answers. */
export function formatAnswers(answers: readonly RememberedAnswer[], width: number): string {
  if (answers.length === 0) return "No answers are remembered.";
  const rows = answers.map(
    ({ tool, when, decision, scope, by }) =>
      [
        toPrintableLine(tool + formatCondition(when)),
        toPrintableLine(`${decision}, remembered for ${scope}, by ${by}`),
      ] as const,
  );
  return [...pairRows(rows, width), '"bridle permissions remove" removes answers of the project.'].join("\n");
}

function formatCondition(when: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(when ?? {});
  return entries.length === 0 ? "" : ` if ${entries.map(([field, pattern]) => `${field} ~ ${pattern}`).join(", ")}`;
}

/** Lists tokens, cost and time of each finished run, with the sum if there are several. */
export function formatCosts(events: readonly RunEvent[], width: number): string {
  const ends = events.filter((event) => event.type === "run.finished");
  if (ends.length === 0) return "No run has finished yet.";
  const rows = ends.map(({ result: { usage, cost, model = "", steps }, durationMs }, index) => [
    `Run ${index + 1}`,
    ...usageCells(usage),
    listCost(cost).join(""),
    String(steps),
    formatDuration(durationMs),
    toPrintableLine(model),
  ]);
  const head = ["", "Tokens", "In", "Cached", "Out", "Cost", "Steps", "Time", "Model"];
  const total = ends.length > 1 ? [totalRow(ends)] : [];
  return tableLines(head, [...rows, ...total], { width, paint: (_colour, text) => text }).join("\n");
}

function usageCells(usage: Usage): string[] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return [totalTokens(usage), inputTokens, cacheReadTokens + cacheWriteTokens, outputTokens].map(formatCount);
}

function totalRow(ends: readonly EventOf<"run.finished">[]): string[] {
  const { usage, cost, steps } = ends.reduce(addToTotals, noTotals);
  return ["All runs", ...usageCells(usage), listCost(cost).join(""), String(steps)];
}

/** Describes how much of the model's window is used, and its content. */
export function formatContext(context: ContextFacts, width: number): string {
  const { tokens, contextWindow, messages, messageCharacters, systemCharacters, tools } = context;
  const share =
    contextWindow === undefined || tokens === undefined ? "" : ` (${Math.round((100 * tokens) / contextWindow)} %)`;
  const ofWindow =
    contextWindow === undefined ? "; the host has not reported its window" : ` of ${formatCount(contextWindow)}`;
  const used =
    tokens === undefined ? "not known before the first answer" : `${formatCount(tokens)} tokens${ofWindow}${share}`;
  const rows = [
    ["Window", used],
    ["Conversation", `${counted(messages, "message")}, ${counted(messageCharacters, "character")}`],
    ["Instructions", counted(systemCharacters, "character")],
    ["Tools", tools === 0 ? "none" : counted(tools, "tool")],
  ] as const;
  return [...pairRows(rows, width), "/compact shortens the conversation. /clear starts an empty one."].join("\n");
}
