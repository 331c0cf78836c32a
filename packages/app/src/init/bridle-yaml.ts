import type { Environment } from "@bridle/project";
import { findProvider } from "./providers.ts";

export interface ChosenProvider {
  /** The name of the provider. */
  readonly provider: string;
  readonly model: string;
}

/** Returns the text of a new project's `bridle.yaml`. `ollama` is the address of the Ollama server. */
export function bridleYaml({ provider, model }: ChosenProvider, environment: Environment, ollama: string): string {
  const { label, settings } = findProvider(provider);
  const lines = Object.entries(settings(environment, ollama)).map(([key, value]) => `    ${key}: ${value}`);
  return `# yaml-language-server: $schema=.bridle/bridle.schema.json
# The model runs on ${label}. "bridle status" shows the settings in use, "bridle models" lists the models.
llm:
  provider:
${lines.join("\n")}
  models:
    default: ${JSON.stringify(model)}
`;
}
