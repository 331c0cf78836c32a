import type { Embedder, Logger } from "@bridle/protocol";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { SearchedModels } from "../metrics/metric-entries.ts";
import type { SearchedPages } from "./page-entries.ts";

export interface ContextSearchOptions {
  readonly knowledge: Knowledge;
  /** Default: none, so that searches match words only. */
  readonly embedder?: Embedder | undefined;
  /** The models of the project. Default: none. */
  readonly models?: SearchedModels | undefined;
  /** The pages of the project. Default: none. */
  readonly pages?: SearchedPages | undefined;
  /** The file in which vectors are stored. Default: they stay in memory. */
  readonly vectorFile?: string | undefined;
  /** Receives a warning if texts cannot be embedded. In that case, the search uses words only. */
  readonly logger?: Logger | undefined;
}
