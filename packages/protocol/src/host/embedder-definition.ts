/** The definition of a host of embeddings: its keys of `embeddings` in `bridle.yaml`, and a function that creates an embedder. */
import type { z } from "zod";
import type { Embedder } from "../embedder.ts";
import type { HostSettingsForm, SettingNeed, UsualKey } from "./host-definition.ts";

/** The settings of a host of embeddings, checked by its schema: the keys of `embeddings`. */
export interface EmbedderConfig {
  readonly backend: string;
  readonly model?: string;
  readonly [key: string]: unknown;
}

export interface EmbedderDefinition<Config extends EmbedderConfig = EmbedderConfig, Id extends string = string> {
  /** The value of `embeddings.backend`. */
  readonly id: Id;
  /** Its keys, in addition to `backend`. */
  readonly settings: HostSettingsForm;
  /** Settings that are needed to reach the host. */
  readonly needs: readonly SettingNeed[];
  /** The package of the project that it loads and runs, which the user has to trust first. */
  readonly projectPackage?: string;
  /** Set if it creates no embedder. Only `none` has it. */
  readonly isNone?: true;
  /** Its keys of `embedding_provider` in an agent's file, in addition to the common keys. */
  readonly agent?: {
    readonly shape: Readonly<Record<string, z.ZodType>>;
    /** The model if the file names none. Without it the file has to name one. */
    readonly defaultModel?: string;
    /** The variable of the key, for files that name none. */
    readonly usualKey?: UsualKey;
    /** Derives settings from the address. Other keys are copied unchanged. */
    settings?(provider: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  };
  /** Creates the embedder. Throws ConfigError if the settings cannot work. */
  create(config: Config, context: { readonly projectDir: string }): Promise<Embedder>;
}
