/** US dollars per million tokens. The cost of a kind of token without a price is unknown. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  /** The price of cache writes with a lifetime of five minutes, and on hosts without cache lifetimes. */
  cacheWrite?: number | undefined;
  cacheWrite1h?: number | undefined;
}

export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** A model with its known figures. */
export interface ModelFigures {
  id: string;
  displayName?: string | undefined;
  /** The size of the context window, in tokens. */
  contextWindow?: number | undefined;
  price?: ModelPrice | undefined;
}

export interface ListedModel extends ModelFigures {
  /** Whether the host or a table lists the model. */
  source: "host" | "table";
  /** The source of `contextWindow`. Both are set together. */
  contextWindowSource?: "host" | "table" | undefined;
}

/** The models that are known without a request. */
export interface ModelTable {
  /** The date of the last comparison with its sources, such as 2026-10-24. */
  asOf: string;
  models: readonly ModelFigures[];
  /** The model of each alias. */
  aliases: Readonly<Record<string, string>>;
}

/** A host's models: the host's own list if the host can be asked, otherwise the table. */
export interface ModelListing {
  readonly models: readonly ListedModel[];
  /** The model of each alias, if the host reports aliases. Otherwise the table's aliases apply. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Why the host was not asked. Undefined if it was asked. */
  readonly reason?: string;
}
