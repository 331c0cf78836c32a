/** US dollars per million tokens. The cost of a kind of token without a price is unknown. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  /** For a lifetime of five minutes, and on hosts that know no lifetimes. */
  cacheWrite?: number | undefined;
  cacheWrite1h?: number | undefined;
}

export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** A model with the figures that are known. */
export interface ModelFigures {
  id: string;
  displayName?: string | undefined;
  /** Tokens. */
  contextWindow?: number | undefined;
  price?: ModelPrice | undefined;
}

export interface ListedModel extends ModelFigures {
  /** Whether the host named it, or a table. */
  source: "host" | "table";
  /** Who said how long the context window is; set together with it. */
  contextWindowSource?: "host" | "table" | undefined;
}

/** The models that are known without asking anyone. */
export interface ModelTable {
  /** The date of the last comparison with its sources, such as 2026-10-24. */
  asOf: string;
  models: readonly ModelFigures[];
  /** The models that the host's aliases mean. */
  aliases: Readonly<Record<string, string>>;
}

/** The models of a host, as the host itself names them if it can be asked. */
export interface ModelListing {
  readonly models: readonly ListedModel[];
  /** The models that the host's aliases mean, if the host said so; else those of its table. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Why the host was not asked; undefined if it was. */
  readonly reason?: string;
}
