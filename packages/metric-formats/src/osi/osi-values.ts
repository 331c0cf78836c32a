import type { SemanticModel } from "@bridle/semantic/model-parts";

export function inStandardSql(expression: string) {
  return { dialects: [{ dialect: "ANSI_SQL", expression }] };
}

export function wordsOfOsi({ description, synonyms }: Pick<SemanticModel, "description" | "synonyms">) {
  return {
    ...(description !== undefined && { description }),
    ...(synonyms?.length && { ai_context: { synonyms } }),
  };
}
