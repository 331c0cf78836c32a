import type { Findings } from "./findings.ts";
import type { Ollama } from "./ollama.ts";
import type { TemplateName } from "./templates.ts";

/** Asks for choices that no option made. Contract: reject to create nothing, for example if the user cancels. */
export interface InitQuestions {
  folder(): Promise<string>;
  template(): Promise<TemplateName>;
  /** Resolves with the name of a provider. */
  provider(findings: Findings): Promise<string>;
  model(ollama: Ollama): Promise<string>;
  /** Resolves with a model of a provider that does not list its models. `usual` is the suggested model. */
  modelName(usual: string): Promise<string>;
  /** Resolves with the name of the agent. `usual` is the suggested name. */
  agentName(usual: string): Promise<string>;
}
