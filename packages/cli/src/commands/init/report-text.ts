import { z } from "zod";
import { wrap } from "../../terminal/wrap.ts";
import { harmless } from "@bridle/app";
import { type Findings, findingLines, usable, providerNames, providers, type TemplateName, templateLabels, templateNames } from "@bridle/app/init";

/** What `bridle init --json` prints. */
export const initSchema = z.strictObject({
  folder: z.string().describe("The project's folder."),
  template: z.enum(templateNames),
  provider: z.enum(providerNames),
  model: z.string(),
  files: z.array(z.string()).describe("What was written, relative to the folder."),
  found: z
    .strictObject({
      login: z.enum(["accepted", "refused", "not checked"]).describe("Of Claude Code on this machine."),
      variables: z.array(z.string()).describe("Those of credentials that are set, by name."),
      ollama: z.strictObject({ address: z.string(), models: z.array(z.string()) }).nullable(),
    })
    .nullable()
    .describe("null: nothing was looked for, because the options said it all."),
  missing: z.array(z.string()).describe("Variables that the provider needs and that are not set."),
});

export type InitReport = z.output<typeof initSchema>;

export function foundReport(findings: Findings | undefined): InitReport["found"] {
  if (findings === undefined) return null;
  const { login, keys, ollama } = findings;
  return {
    login: login.state,
    variables: [...new Set(keys.flatMap(({ variables }) => variables))],
    ollama: ollama ? { address: ollama.address, models: ollama.models.map(({ name }) => name) } : null,
  };
}

export interface Made {
  readonly report: InitReport;
  /** undefined: nothing was looked for. */
  readonly findings: Findings | undefined;
  /** The folder as it was named. */
  readonly shown: string;
  /** Whether the person has seen the findings, with the question about them. */
  readonly wereShown: boolean;
}

/** What a person reads at the end, in lines of the width; the last lines are the next two commands. */
export function reportText({ report, findings, shown, wereShown }: Made, width = Number.POSITIVE_INFINITY): string {
  const { template, files } = report;
  const next = nextCommands(template, shown);
  const indented = (text: string) => wrap(text, width - 2).map((line) => `  ${line}`);
  const own = files.filter((name) => !name.startsWith(".bridle/"));
  const lines = [
    ...(findings && !wereShown ? ["Found:", ...findingLines(findings).flatMap(indented), ""] : []),
    ...(wereShown ? [""] : []),
    ...wrap(`Made in ${shown}: an agent that ${templateLabels[template]}.`, width),
    ...indented(own.join(", ")),
    "",
    ...wrap(modelSentence(report, findings), width),
    "",
    "Try it with a scripted model, which needs no login and costs nothing:",
    `  ${next.rehearsed}`,
    "  bridle test --rehearse rehearsal.yaml",
    "With the model itself:",
    `  ${next.real}`,
  ];
  return `${harmless(lines.join("\n"))}\n`;
}

/** Which model, and what keeps it from running, as far as it is known. */
function modelSentence({ provider, model, missing }: InitReport, findings: Findings | undefined): string {
  const { label, remedy } = providers[provider];
  const named = `bridle.yaml names ${label}, with the model ${model}`;
  if (missing.length > 0)
    return `${named}; ${missing.join(" and ")} is not set, which it needs. To have it: ${remedy}.`;
  if (findings === undefined || usable(findings).includes(provider)) return `${named}.`;
  return `${named}, which was not found to work. To have it: ${remedy}.`;
}

const verbs: Readonly<Record<TemplateName, { readonly verb: string; readonly prompt?: string }>> = {
  support: { verb: "chat" },
  orders: { verb: "chat" },
  extractor: {
    verb: "run --agent agent.yaml",
    prompt: '"My lamp (order A-1001) arrived broken, and I need it tomorrow."',
  },
};

function nextCommands(template: TemplateName, shown: string): { rehearsed: string; real: string } {
  const { verb, prompt } = verbs[template];
  const folder = /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
  const enter = shown === "." ? "" : `cd ${folder} && `;
  const line = (...words: (string | undefined)[]) =>
    ["bridle", ...words].filter((word) => word !== undefined).join(" ");
  return { rehearsed: `${enter}${line(verb, "--rehearse rehearsal.yaml", prompt)}`, real: line(verb, prompt) };
}
