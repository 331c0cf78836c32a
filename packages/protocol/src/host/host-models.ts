/** US dollars per million tokens. The cost of a kind of token without a price is unknown. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  /** The price for a lifetime of five minutes, and on hosts without lifetimes. */
  cacheWrite?: number | undefined;
  cacheWrite1h?: number | undefined;
}

export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** A model with its known figures. */
export interface ModelFigures {
  id: string;
  displayName?: string | undefined;
  /** In tokens. */
  contextWindow?: number | undefined;
  price?: ModelPrice | undefined;
}

export interface ListedModel extends ModelFigures {
  /** Whether the model is listed by the host or by a table. */
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

/** The models of a host: as the host lists them if it can be asked. */
export interface ModelListing {
  readonly models: readonly ListedModel[];
  /** The model of each alias, if the host reports it. Otherwise the aliases of the table apply. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Why the host was not asked; undefined if it was. */
  readonly reason?: string;
}
