import type { Findings } from "./findings.ts";
import type { Ollama } from "./ollama.ts";
import type { TemplateName } from "./templates.ts";

/** Asks for the choices that were not made by options. Contract: reject to create nothing, for example if the user cancels. */
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
