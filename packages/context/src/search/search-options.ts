import type { Embedder, Logger } from "@bridle/protocol";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { SearchedModels } from "../metrics/metric-entries.ts";
import type { SearchedPages } from "./page-entries.ts";

export interface ContextSearchOptions {
  readonly knowledge: Knowledge;
  /** Default: none, and the search is by words only. */
  readonly embedder?: Embedder | undefined;
  /** The models of the project. Default: none. */
  readonly models?: SearchedModels | undefined;
  /** The pages of the project. Default: none. */
  readonly pages?: SearchedPages | undefined;
  /** The file of the vectors. Default: they stay in memory. */
  readonly vectorFile?: string | undefined;
  /** Receives a warning if texts cannot be embedded. The search then uses words only. */
  readonly logger?: Logger | undefined;
}
