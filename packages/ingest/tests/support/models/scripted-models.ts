/** Models with scripted answers for each stage. They run without a runtime, so that a test can omit single answers. */
import { noUsage, UsageLimitError } from "@bridle/protocol";
import type { IngestModels, IngestRole, ObjectCall } from "../../../src/models/ingest-models.ts";

type Answer = (call: Pick<ObjectCall<unknown>, "prompt" | "stage">) => unknown;

/** Returns a fact in the format of light extraction, about the passage with the given name. */
export const extracted = (statement: string, quote = statement, more: object = {}, passage = "p1") => ({
  passage,
  quote,
  statement,
  subject: statement.split(" ").slice(0, 3).join(" "),
  topic: "fares",
  category: "rule",
  tables: [],
  durability: 1,
  authority: 1,
  reuse: 1,
  novelty: 1,
  risk: 0,
  ...more,
});

/** Models that read every passage lightly. For a stage without a scripted answer, the usage window is used up. */
export class ScriptedModels implements IngestModels {
  readonly calls: string[] = [];
  readonly #answers: Readonly<Record<string, unknown>>;
  readonly #model: string;

  constructor(answers: Readonly<Record<string, Answer | object>>, model = "scripted") {
    this.#answers = { triage: lightly, ...answers };
    this.#model = model;
  }

  modelOf(_role: IngestRole): string {
    return this.#model;
  }

  async object<T>({ stage, prompt, schema }: ObjectCall<T>) {
    this.calls.push(stage);
    const answer = this.#answers[stage];
    if (answer === undefined) throw new UsageLimitError("The usage window five_hour is used up.");
    const given: unknown = typeof answer === "function" ? answer({ stage, prompt }) : answer;
    return { object: schema.parse(given), usage: noUsage };
  }

  loop(): never {
    throw new Error("Nothing here is read closely.");
  }
}

function lightly({ prompt }: Parameters<Answer>[0]) {
  const names = new Set(prompt.match(/\bp\d+\b/g));
  return {
    passages: Array.from(names, (passage) => ({ passage, decision: "light", reason: "It states facts." })),
    instructions: [],
  };
}
