/** Builds the requests of one conversation from its spec, in the form that the backend's wiring defines. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { type ConversationSpec, omitUndefined, type ToolDeclaration } from "@bridle/protocol";
import { type CacheMarks, cacheMarks, commonTtl, markPrompt, markTools } from "../prompt/cache-marks.ts";
import { toLanguageModelTool, toSystem } from "../prompt/messages.ts";
import { describeOutput, type ObjectOutput, withInstruction } from "../prompt/output.ts";
import type { Wiring } from "../wiring/index.ts";

type ModelSettings = Pick<LanguageModelV4CallOptions, "maxOutputTokens" | "temperature" | "topP" | "providerOptions">;

export class RequestBuilder {
  /** How the object is requested; `undefined` if the answer is text. */
  readonly output: ObjectOutput | undefined;
  /**
   * The lifetime that all cache marks share, or `undefined` if they differ. Without marks, the lifetime does not matter, because cache
   * writes then have only one price.
   */
  readonly cacheTtl: "5m" | "1h" | undefined;
  readonly #spec: ConversationSpec;
  readonly #wiring: Wiring;
  readonly #marks: CacheMarks;
  readonly #system: readonly LanguageModelV4Message[];

  constructor(spec: ConversationSpec, wiring: Wiring, model: string) {
    const isMarked = wiring.takesCacheMarks(model);
    this.#spec = spec;
    this.#wiring = wiring;
    this.#marks = isMarked ? cacheMarks(spec.promptCaching) : {};
    this.cacheTtl = isMarked ? commonTtl(this.#marks) : "5m";
    this.output = spec.outputSchema && describeOutput(spec.outputSchema, wiring.schemaForm(model));
    this.#system = toSystem(withInstruction(spec.system, this.output?.instruction), wiring.systemInOne);
  }

  /** Returns the request for the next response. */
  build(messages: readonly LanguageModelV4Message[], tools: readonly ToolDeclaration[]): LanguageModelV4CallOptions {
    const parts = omitUndefined({
      tools: tools.length > 0 ? markTools(tools.map(toLanguageModelTool), this.#marks) : undefined,
      toolChoice: tools.length > 0 ? { type: "auto" as const } : undefined,
      responseFormat: this.output?.format,
    });
    const prompt = markPrompt([...this.#system, ...messages], this.#marks, this.#spec.system.static !== "");
    const raw = this.#wiring.beginsInRawParts ? { includeRawChunks: true } : {};
    return { prompt, ...parts, ...raw, ...this.settings() };
  }

  /** Returns the settings that all requests of the conversation share. */
  settings(): ModelSettings {
    const { maxOutputTokens, temperature, topP } = this.#spec;
    const strict = this.output?.strict ?? false;
    const providerOptions = this.#wiring.providerOptions?.({ spec: this.#spec, strict });
    return omitUndefined({ maxOutputTokens, temperature, topP, providerOptions });
  }
}
