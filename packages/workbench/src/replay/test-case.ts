import type { RunReplay } from "@bridle/client";

type Entry = RunReplay["transcript"]["entries"][number];

/** Creates a test case in YAML from a run: its prompts, the tools that were called, and a check of the answer to fill in. */
export function toTestCase({ transcript }: Pick<RunReplay, "transcript">): string {
  const { entries } = transcript;
  const prompts = entries.flatMap((entry) =>
    entry.kind === "user" && entry.message.role === "user" ? [textOf(entry)] : [],
  );
  const [name = "a new case"] = prompts;
  const lines = [`- name: ${quote(name.slice(0, 80))}`];
  if (prompts.length <= 1) return [...lines, ...indent(turnLines(name, entries))].join("\n").concat("\n");
  const starts = entries.flatMap((entry, index) => (entry.kind === "user" ? [index] : []));
  const turns = starts.flatMap((start, index) => {
    const [first = "", ...rest] = turnLines(prompts[index] ?? "", entries.slice(start, starts[index + 1]));
    return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
  });
  return [...lines, "  turns:", ...indent(turns)].join("\n").concat("\n");
}

function turnLines(prompt: string, entries: readonly Entry[]): readonly string[] {
  const calls = entries.flatMap((entry) => (entry.kind === "tool" ? [entry] : []));
  const tools = [...new Set(calls.map(({ tool }) => tool))];
  const answer = entries.findLast((entry) => entry.kind === "text");
  return [
    `input: ${quote(prompt)}`,
    ...(tools.length === 0 ? [] : [`expected_tools: [${tools.map(quote).join(", ")}]`]),
    ...(answer?.kind === "text" ? [`ground_truth: ${quote(answer.text)}`] : []),
    "evaluations: [{ type: standard, metric: f1, threshold: 0.6 }]",
  ];
}

function textOf({ message: { content } }: Extract<Entry, { kind: "user" }>): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Quotes a string for YAML. Double-quoted YAML strings are compatible with JSON. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
