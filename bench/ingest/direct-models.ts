import { noUsage } from "@bridle/protocol";
import type { RehearsedModel } from "@bridle/rehearsal";
import type { IngestModels, ObjectCall } from "../../packages/ingest/src/models/ingest-models.ts";

/** Models that are called without a host, so that only ingest is measured. They count the calls and measure the prompts. */
export class DirectModels implements IngestModels {
  readonly #model: RehearsedModel;
  calls = 0;
  /** The length of the longest prompt in characters, including the instructions. */
  maxPromptLength = 0;

  constructor(model: RehearsedModel) {
    this.#model = model;
  }

  modelOf(): string {
    return "scripted";
  }

  async object<T>({ system, prompt, schema }: ObjectCall<T>) {
    this.calls += 1;
    this.maxPromptLength = Math.max(this.maxPromptLength, system.length + prompt.length);
    const request = { system, user: prompt, message: 1, step: 1, results: [], allResults: [], tools: [] };
    const step = await this.#model(request);
    return { object: schema.parse(step?.object), usage: noUsage };
  }

  async loop(): Promise<never> {
    throw new Error("Nothing in this corpus is read closely.");
  }
}
