import { ConfigError } from "@bridle/protocol";
import type { Cli } from "../cli/cli.ts";
import { UsageError } from "../cli/usage-error.ts";
import { type Findings, modelForTools, usable } from "./findings.ts";
import { problemOfFolder } from "./folder-name.ts";
import { type Ollama, ollamaAddress } from "./ollama.ts";
import type { Wanted } from "./project-files.ts";
import { type ProviderName, providers } from "./providers.ts";
import type { Questions } from "./questions.ts";
import type { TemplateName } from "./templates.ts";

/** What was given on the command line; the rest is asked, or found. */
export interface Given {
  readonly dir: string | undefined;
  readonly template: TemplateName | undefined;
  readonly provider: ProviderName | undefined;
  readonly model: string | undefined;
  readonly name: string | undefined;
}

/** The folder as it was named: given, asked for, or the working directory. Throws UsageError for what is none. */
export async function chooseFolder({ dir }: Given, questions: Questions | undefined): Promise<string> {
  const folder = dir ?? (await questions?.folder()) ?? ".";
  const problem = problemOfFolder(folder);
  if (problem === undefined) return folder;
  throw new UsageError(`${JSON.stringify(folder)} cannot be a folder: ${problem}. Name another: bridle init desk`);
}

/** Whether anything has to be looked for: a host that was named, with a model, is known. */
export function hasToLook({ provider, model }: Given): boolean {
  return provider === undefined || (provider === "ollama" && model === undefined);
}

/** Host and model: those that were named, those that a person chose, or the best that was found. */
export async function chooseModel(
  given: Given,
  findings: Findings | undefined,
  questions: Questions | undefined,
  { environment }: Pick<Cli, "environment">,
): Promise<Pick<Wanted, "provider" | "model" | "ollama">> {
  const provider =
    given.provider ??
    (findings && (await questions?.provider(findings))) ??
    (findings && usable(findings)[0]) ??
    "claude-code"; // what works once somebody logs in, and needs no key
  const ollama = findings?.ollama?.address ?? ollamaAddress(environment.OLLAMA_HOST);
  const model = given.model ?? providers[provider].model ?? (await chooseOllamaModel(findings?.ollama, questions));
  if (model !== undefined) return { provider, model, ollama };
  throw new ConfigError(
    `Ollama at ${ollama} ${findings?.ollama ? "has no model that calls tools" : "does not answer"}, so that there is none to choose. Name one with --model, or run "ollama pull qwen3" first.`,
    { field: "--model" },
  );
}

async function chooseOllamaModel(
  ollama: Ollama | undefined,
  questions: Questions | undefined,
): Promise<string | undefined> {
  if (ollama === undefined || ollama.models.length === 0) return undefined;
  return questions ? questions.model(ollama) : modelForTools(ollama);
}
