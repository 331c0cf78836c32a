/** A host of embeddings as a value: the keys of `embeddings` in `bridle.yaml`, and how an embedder is made from them. */
import type { z } from "zod";
import type { Embedder } from "../embedder.ts";
import type { HostSettingsForm, SettingNeed } from "./host-definition.ts";

/** The settings of a host of embeddings, checked by its schema: the keys of `embeddings`. */
export interface EmbedderConfig {
  readonly backend: string;
  readonly model?: string;
  readonly [key: string]: unknown;
}

export interface EmbedderDefinition<Config extends EmbedderConfig = EmbedderConfig, Id extends string = string> {
  /** The value of `embeddings.backend`. */
  readonly id: Id;
  /** Its keys, beside `backend`. */
  readonly settings: HostSettingsForm;
  /** Settings that the host cannot be reached without. */
  readonly needs: readonly SettingNeed[];
  /** Makes no embedder. Only `none` has it. */
  readonly isNone?: true;
  /** Its keys of `embedding_provider` in an agent's file, beside those of every provider. */
  readonly agent?: {
    readonly shape: Readonly<Record<string, z.ZodType>>;
    /** The settings that follow from the address; other keys are taken over as they are. */
    settings?(provider: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  };
  /** Throws ConfigError for settings that make no sense. */
  create(config: Config, context: { readonly projectDir: string }): Promise<Embedder>;
}
