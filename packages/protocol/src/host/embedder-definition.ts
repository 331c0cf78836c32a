/** The definition of an embedding host: its keys below `embeddings` in `bridle.yaml`, and a function that creates an embedder. */
import type { z } from "zod";
import type { Embedder } from "../embedder.ts";
import type { HostSettingsForm, SettingNeed, UsualKey } from "./host-definition.ts";

/** The settings of an embedding host, validated by its schema: the keys below `embeddings`. */
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
  /** The project's package that the host loads and runs, which the user has to trust first. */
  readonly projectPackage?: string;
  /** Set only for `none`, which creates no embedder. */
  readonly isNone?: true;
  /** Its keys below `embedding_provider` in an agent file, in addition to the common keys. */
  readonly agent?: {
    readonly shape: Readonly<Record<string, z.ZodType>>;
    /** The model if the file names none. Without a default, the file has to name a model. */
    readonly defaultModel?: string;
    /** The variable with the key, for files that name no key. */
    readonly usualKey?: UsualKey;
    /** Derives settings from the address. Other keys are copied unchanged. */
    settings?(provider: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  };
  /** Creates the embedder. Throws ConfigError if the settings cannot work. */
  create(config: Config, context: { readonly projectDir: string }): Promise<Embedder>;
}
