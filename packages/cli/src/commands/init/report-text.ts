import {
  type CreatedProject,
  type Findings,
  findProvider,
  type InitReport,
  type TemplateName,
  templateLabels,
  usableProviders,
} from "@bridle/app/init";
import { nameCommands } from "../../command/name-commands.ts";
import { quoted } from "../../command/own-command.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { wrap } from "../../terminal/wrap.ts";
import { findingLines } from "./finding-lines.ts";

interface CreatedAndShown extends CreatedProject {
  /** Whether a question has already shown the findings to the user. */
  readonly wereShown: boolean;
  /** The command that starts this program for the user. */
  readonly command: string;
}

/** Formats the report about a created project, wrapped to the width. Its last lines are the next commands. */
export function formatInitReport(
  { report, findings, shown, wereShown, command }: CreatedAndShown,
  width = Number.POSITIVE_INFINITY,
): string {
  const { template, files } = report;
  const next = nextCommands(template, shown, command);
  const wrapped = (text: string, columns: number) => wrap(nameCommands(text, { command }), columns);
  const indent = (text: string) => wrapped(text, width - 2).map((line) => `  ${line}`);
  const own = files.filter((name) => !name.startsWith(".bridle/"));
  const lines = [
    ...(findings && !wereShown ? ["Found:", ...findingLines(findings).flatMap(indent), ""] : []),
    ...(wereShown ? [""] : []),
    ...wrap(`Created in ${shown}: an agent that ${templateLabels[template]}.`, width),
    ...indent(own.join(", ")),
    "",
    ...wrapped(describeModel(report, findings), width),
    "",
    "Try it with a scripted model, which needs no login and costs nothing:",
    `  ${next.rehearsed}`,
    `  ${command} test --rehearse rehearsal.yaml`,
    `  ${command} web --rehearse rehearsal.yaml`,
    "With the real model:",
    `  ${next.real}`,
  ];
  return `${toPrintable(lines.join("\n"))}\n`;
}

/** Describes the model in bridle.yaml, and the missing setup if known. */
function describeModel({ provider, model, missing }: InitReport, findings: Findings | undefined): string {
  const { label, remedy } = findProvider(provider);
  const chosen = `bridle.yaml uses ${label} with the model ${model}`;
  if (missing.length > 0) return `${chosen}, but ${missing.join(" and ")} is not set. To set it up: ${remedy}.`;
  if (findings === undefined || usableProviders(findings).includes(provider)) return `${chosen}.`;
  return `${chosen}, but it was not found to work. To set it up: ${remedy}.`;
}

const verbs: Readonly<Record<TemplateName, { readonly verb: string; readonly prompt?: string }>> = {
  support: { verb: "chat" },
  orders: { verb: "chat" },
  team: { verb: "chat" },
  extractor: {
    verb: "run --agent agent.yaml",
    prompt: '"My lamp (order A-1001) arrived broken, and I need it tomorrow."',
  },
};

function nextCommands(template: TemplateName, shown: string, command: string): { rehearsed: string; real: string } {
  const { verb, prompt } = verbs[template];
  const enter = shown === "." ? "" : `cd ${quoted(shown)} && `;
  const line = (...words: (string | undefined)[]) => [command, ...words].filter((word) => word !== undefined).join(" ");
  return { rehearsed: `${enter}${line(verb, "--rehearse rehearsal.yaml", prompt)}`, real: line(verb, prompt) };
}
