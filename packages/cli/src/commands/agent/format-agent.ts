import type { AgentDescription } from "@bridle/app/agents";
import { formatTitledRow } from "../../terminal/titled-row.ts";
import { trustLines } from "../trust/trust-lines.ts";

const indent = 14;

type Row = readonly [title: string, text: string];

/** Formats an agent as text: one line per property, and more lines for long values. */
export function formatAgent(agent: AgentDescription, columns = Number.POSITIVE_INFINITY): string {
  const { instructions, limits } = agent;
  const rows: Row[] = [
    ...titled("Trust", trustLines(agent.trust, columns - indent)),
    ["Agent", agent.description === null ? agent.name : `${agent.name}: ${agent.description}`],
    ["File", agent.file],
    ...optional("Author", agent.author),
    ["Backend", agent.backend],
    ["Model", modelLine(agent)],
    ...titled("Tools", agent.tools.length === 0 ? ["none"] : agent.tools.map(toolLine)),
    ...optional("Host's tools", agent.builtins.join(", ") || null),
    ["Policy", policyLine(agent.policy)],
    ["Limits", limitsLine(limits)],
    ["Answers", agent.answers === "object" ? "an object that fits response_format" : "text"],
    ["Test cases", String(agent.testCases)],
    ...titled("Instructions", instructionLines(instructions)),
    ...titled("Warnings", agent.warnings),
  ];
  return rows.map(([title, text]) => formatTitledRow(title, text, columns, indent)).join("");
}

function modelLine({ model, settings }: AgentDescription): string {
  const set = Object.entries(settings).map(([key, value]) => `, ${key} ${value}`);
  return `${model ?? "none is set"}${set.join("")}`;
}

function toolLine({ name, kind, annotations, description }: AgentDescription["tools"][number]): string {
  const { readOnly, destructive, openWorld } = annotations;
  const promised = [
    ...(readOnly ? ["only reads"] : []),
    ...(destructive ? ["destructive"] : []),
    ...(openWorld ? ["uses systems outside of this machine"] : []),
  ];
  const [sentence = ""] = description.split("\n");
  return `${name} (${[kind, ...promised].join(", ")}): ${sentence}`;
}

function limitsLine({ steps, seconds, costUsd }: AgentDescription["limits"]): string {
  const time = seconds === null ? "" : `, ${seconds} seconds`;
  return `${steps} steps${time}${costUsd === null ? "" : `, $${costUsd}`} a run`;
}

function policyLine(policy: AgentDescription["policy"]): string {
  if (policy === null) return "the project's, if it has one";
  const { mode, rules, disabled } = policy;
  const off = disabled.length === 0 ? "" : `, disabled: ${disabled.join(", ")}`;
  return `mode ${mode}, ${rules} ${rules === 1 ? "rule" : "rules"}${off}; the denials of the project stay in force`;
}

function instructionLines(instructions: AgentDescription["instructions"]): string[] {
  const { version, file, author, description, tags, firstLines, characters } = instructions;
  return [
    `version ${version}, ${file ?? "in the file itself"}, ${characters} characters`,
    ...(author === null ? [] : [`by ${author}`]),
    ...(description === null ? [] : [description]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(", ")}`]),
    ...firstLines.map((line) => `| ${line}`),
  ];
}

function optional(title: string, text: string | null): Row[] {
  return text === null ? [] : [[title, text]];
}

/** Adds the title to the first line only. */
function titled(title: string, lines: readonly string[]): Row[] {
  return lines.map((line, index) => [index === 0 ? title : "", line]);
}
