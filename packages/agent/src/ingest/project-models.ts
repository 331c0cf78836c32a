import type { IngestModels, IngestRole, LoopCall, LoopEnd, ObjectCall, TokenPrice } from "@bridle/ingest";
import type { Settings } from "@bridle/project";
import type { AgentRuntime } from "@bridle/protocol";

/** The models of a project. The runtime is made when the first question is asked, so that an unchanged project needs none. */
export class ProjectModels implements IngestModels {
  readonly #settings: Pick<Settings, "models" | "prices">;
  readonly #createRuntime: () => Promise<AgentRuntime>;
  #opening: Promise<{ readonly runtime: AgentRuntime; readonly models: IngestModels }> | undefined;

  constructor(settings: Pick<Settings, "models" | "prices">, createRuntime: () => Promise<AgentRuntime>) {
    this.#settings = settings;
    this.#createRuntime = createRuntime;
  }

  modelOf(role: IngestRole): string {
    const { models } = this.#settings;
    return models[role] ?? models.default ?? "";
  }

  /** That of `llm.prices`. Without it, what calls have cost decides. */
  priceOf(role: IngestRole): TokenPrice | undefined {
    const price = this.#settings.prices[this.modelOf(role)];
    return price && { input: price.input / 1e6, output: price.output / 1e6 };
  }

  async object<T>(call: ObjectCall<T>) {
    return (await this.#open()).models.object(call);
  }

  async loop(call: LoopCall): Promise<LoopEnd> {
    return (await this.#open()).models.loop(call);
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.runtime.close();
  }

  #open() {
    this.#opening ??= this.#start();
    return this.#opening;
  }

  async #start() {
    const { createRuntimeModels } = await import("@bridle/ingest");
    const runtime = await this.#createRuntime();
    return { runtime, models: createRuntimeModels(runtime, { models: this.#settings.models }) };
  }
}
