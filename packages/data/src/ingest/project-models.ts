import type { IngestModels, IngestRole, LoopCall, LoopEnd, ObjectCall, TokenPrice } from "@bridle/ingest";
import type { Settings } from "@bridle/project";
import type { AgentRuntime } from "@bridle/protocol";

interface RuntimeChoice {
  /** The runtime, which the caller closes. It is already configured with a script, if a script plays its model. */
  readonly runtime?: AgentRuntime | undefined;
  readonly createRuntime: () => Promise<AgentRuntime>;
  /** Whether a script plays the models. Its answers are stored separately from those of models. */
  readonly isRehearsed?: boolean | undefined;
  /** Identifies the script. */
  readonly script?: string | undefined;
}

/** Creates the models of a project. The runtime is created at the first call, so an unchanged project needs none. */
export class ProjectModels implements IngestModels {
  readonly #settings: Pick<Settings, "models" | "prices">;
  readonly #choice: RuntimeChoice;
  #created: Promise<AgentRuntime> | undefined;
  #models: IngestModels | undefined;

  constructor(settings: Pick<Settings, "models" | "prices">, choice: RuntimeChoice) {
    this.#settings = settings;
    this.#choice = choice;
  }

  modelOf(role: IngestRole): string {
    const model = this.#boundTo(role);
    const { runtime, isRehearsed, script } = this.#choice;
    if (!isRehearsed && runtime?.rehearsal === undefined) return model;
    return ["rehearsal", script ?? runtime?.rehearsal, "of", model].filter(Boolean).join(" ");
  }

  /** Returns the price in `llm.prices`. Without it, costs are estimated from earlier calls. */
  priceOf(role: IngestRole): TokenPrice | undefined {
    const price = this.#settings.prices[this.#boundTo(role)];
    return price && { input: price.input / 1e6, output: price.output / 1e6 };
  }

  async object<T>(call: ObjectCall<T>) {
    return (await this.#open()).object(call);
  }

  async loop(call: LoopCall): Promise<LoopEnd> {
    return (await this.#open()).loop(call);
  }

  async close(): Promise<void> {
    const runtime = await this.#created?.catch(() => undefined);
    await runtime?.close();
  }

  #boundTo(role: IngestRole): string {
    const { models } = this.#settings;
    return models[role] ?? models.default ?? "";
  }

  async #open(): Promise<IngestModels> {
    const { runtime, createRuntime } = this.#choice;
    if (runtime === undefined) this.#created ??= createRuntime();
    const { createRuntimeModels } = await import("@bridle/ingest");
    const opened = runtime ?? (await this.#created);
    if (opened === undefined) throw new Error("There is no runtime.");
    this.#models ??= createRuntimeModels(opened, { models: this.#settings.models });
    return this.#models;
  }
}
