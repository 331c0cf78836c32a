import type { ApiContext } from "@bridle/client";

type Part = ApiContext["parts"][number];

const words: Readonly<Record<Part["kind"], string>> = {
  instructions: "Instructions",
  tool: "Tools",
  schema: "Schema",
  prompt: "Prompts",
  answer: "Answers",
  call: "Calls",
  result: "Results",
  image: "Images",
  file: "Files",
};

/** The tokens of each kind of part, the most first. */
export function sumByKind(
  parts: readonly Part[],
): readonly { readonly kind: Part["kind"]; readonly words: string; readonly tokens: number }[] {
  const kinds = [...Map.groupBy(parts, ({ kind }) => kind)];
  return kinds
    .map(([kind, own]) => ({ kind, words: words[kind], tokens: own.reduce((sum, { tokens }) => sum + tokens, 0) }))
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens);
}
