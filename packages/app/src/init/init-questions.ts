import type { Findings } from "./findings.ts";
import type { Ollama } from "./ollama.ts";
import type { TemplateName } from "./templates.ts";

/** The questions for the choices that are not made yet. Contract: reject to create nothing, such as when the user leaves. */
export interface InitQuestions {
  folder(): Promise<string>;
  template(): Promise<TemplateName>;
  /** Resolves with the name of a provider. */
  provider(findings: Findings): Promise<string>;
  model(ollama: Ollama): Promise<string>;
  /** Resolves with a model of a provider that does not list its models. `usual` is the proposal. */
  modelName(usual: string): Promise<string>;
  /** Resolves with the name of the agent. `usual` is the proposal. */
  agentName(usual: string): Promise<string>;
}
