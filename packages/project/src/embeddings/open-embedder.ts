import { type Embedder, type Logger, override } from "@bridle/protocol";
import { createExplainer } from "../hosts/configured-backend.ts";
import { findMissingEmbeddingSettings, requireAll } from "../hosts/requirements.ts";
import { warnAboutEmbeddings } from "../hosts/unencrypted-address.ts";
import { accountIn } from "../namespace/in-namespace.ts";
import { embedderDefinition } from "../registries/embedder-registry.ts";
import {
  type EmbeddingChoice,
  type GivenEmbeddings,
  withChoice,
  withEmbeddings,
} from "../settings/given-embeddings.ts";
import type { Settings } from "../settings/settings.ts";
import { createRehearsedEmbedder } from "./rehearsed-embedder.ts";

export interface OpenEmbedderOptions {
  /** Embeddings that another file sets, such as an agent file. They take precedence over the project's. */
  embeddings?: GivenEmbeddings | undefined;
  /** A model or a number of dimensions for this embedder only. */
  choice?: EmbeddingChoice | undefined;
  /** Whether this is for a rehearsal: the vectors are computed in this process, and nothing is sent. Default: false. */
  isRehearsed?: boolean | undefined;
  /** The logger for a warning if the texts leave this machine without encryption. Default: no warning. */
  logger?: Logger | undefined;
}

/** Opens the configured embedder; returns undefined if none is configured. Throws ConfigError. Call `close()` when done. */
export async function openEmbedder(
  project: Settings,
  { embeddings, choice = {}, isRehearsed = false, logger }: OpenEmbedderOptions = {},
): Promise<Embedder | undefined> {
  const settings = withChoice(withEmbeddings(project, embeddings), choice);
  if (embedderDefinition(settings.embeddings.backend).isNone) return undefined;
  if (isRehearsed) return createRehearsedEmbedder();
  if (logger) warnAboutEmbeddings(settings.embeddings, logger);
  return createConfiguredEmbedder(settings);
}

/** Whether an embedder is configured. Throws ConfigError if it cannot be opened. Loads no package and sends nothing. */
export async function checkEmbedder(project: Settings, options: OpenEmbedderOptions = {}): Promise<boolean> {
  const embedder = await openEmbedder(project, options);
  await embedder?.close();
  return embedder !== undefined;
}

/** Creates the embedder of these settings. Its errors contain no values from the environment. */
export async function createConfiguredEmbedder(settings: Settings): Promise<Embedder> {
  const { embeddings } = settings;
  requireAll(findMissingEmbeddingSettings(settings), `embeddings: ${embeddings.backend}`, settings);
  const explained = createExplainer(settings);
  const embedder = await explained(() => embedderDefinition(embeddings.backend).create(embeddings, settings));
  const account = accountIn(embedder.account, settings);
  const embed: Embedder["embed"] = (texts, options) => explained(() => embedder.embed(texts, options));
  return override(embedder, { account, embed });
}
