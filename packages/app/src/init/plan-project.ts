import { ConfigError } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { UsageError } from "../context/usage-error.ts";
import { type Findings, modelForTools, usableProviders } from "./findings.ts";
import { problemOfFolder } from "./folder-name.ts";
import type { InitQuestions } from "./init-questions.ts";
import { ollamaAddress } from "./ollama.ts";
import type { Wanted } from "./project-files.ts";
import { findProvider, providerNames } from "./providers.ts";
import type { TemplateName } from "./templates.ts";

/** The choices that are already made. The user is asked for the others, or they are detected. */
export interface GivenChoices {
  readonly dir: string | undefined;
  readonly template: TemplateName | undefined;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly name: string | undefined;
}

/**
 * Chooses the folder of the project: the given one, the user's choice, or the working directory. Throws UsageError if it cannot be a
 * project folder.
 */
export async function chooseFolder({ dir }: GivenChoices, questions: InitQuestions | undefined): Promise<string> {
  const folder = dir ?? (await questions?.folder()) ?? ".";
  const problem = problemOfFolder(folder);
  if (problem === undefined) return folder;
  throw new UsageError(`${JSON.stringify(folder)} cannot be a folder: ${problem}. Name another: bridle init desk`);
}

/** The provider if none was found. */
export const firstProvider = providerNames[0] ?? "";

/** Whether to search for hosts. No search is needed if the host is named and its model is known. */
export function needsSearch({ provider, model }: GivenChoices): boolean {
  return provider === undefined || (findProvider(provider).probe === "server" && model === undefined);
}

/** Chooses the host and model: the given ones, the user's choice, or the best that was found. Throws ConfigError if no model is known. */
export async function chooseModel(
  given: GivenChoices,
  findings: Findings | undefined,
  questions: InitQuestions | undefined,
  { environment }: Pick<AppContext, "environment">,
): Promise<Pick<Wanted, "provider" | "model" | "ollama">> {
  const provider =
    given.provider ??
    (findings && (await questions?.provider(findings))) ??
    (findings && usableProviders(findings)[0]) ??
    firstProvider; // works without a key after a login
  const ollama = findings?.ollama?.address ?? ollamaAddress(environment.OLLAMA_HOST);
  const usual = findProvider(provider).model;
  const model =
    given.model ??
    (usual !== undefined && given.provider === undefined ? await questions?.modelName(usual) : undefined) ??
    usual ??
    (await findModel(provider, findings, questions));
  if (model !== undefined) return { provider, model, ollama };
  if (findProvider(provider).probe !== "server") {
    throw new ConfigError(`${provider} has no usual model. Name a model with --model.`, { field: "--model" });
  }
  throw new ConfigError(
    `Ollama at ${ollama} ${findings?.ollama ? "has no model that calls tools" : "does not answer"}. Name a model with --model, or run "ollama pull qwen3" first.`,
    { field: "--model" },
  );
}

/** Finds a model on the Ollama server, if the server was found. For other providers, no list of models is known. */
async function findModel(
  provider: string,
  findings: Findings | undefined,
  questions: InitQuestions | undefined,
): Promise<string | undefined> {
  const ollama = findings?.ollama;
  if (findProvider(provider).probe !== "server" || ollama === undefined || ollama.models.length === 0) return undefined;
  return questions ? questions.model(ollama) : modelForTools(ollama);
}
