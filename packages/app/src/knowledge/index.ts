/** The project's knowledge apart from its warehouses: pages, the sources of their statements, contradictions, and memory. */
export { type CaptureEffects, FactCapture, type SaidPrompt } from "./memory/capture-facts.ts";
export {
  type ForgottenFacts,
  forgottenFactsSchema,
  type ListedFact,
  type ListedMemory,
  listedMemorySchema,
  type RememberedText,
  rememberedTextSchema,
} from "./memory/memory-results.ts";
export { forgetFacts, listMemory, rememberText, showFact, type TextToRemember } from "./memory/memory-use.ts";
export {
  type ContextOverview,
  contextOverviewSchema,
  describeDataContext,
  listOpenContradictions,
  listUsableMetrics,
} from "./overview/data-context.ts";
export {
  type FoundPages,
  foundPagesSchema,
  type LintedWiki,
  type ListedPages,
  lintedWikiSchema,
  listedPagesSchema,
  type ShownPage,
  shownPageSchema,
} from "./pages/page-results.ts";
export { lintWiki, listWikiPages, readWikiPage, searchWikiPages } from "./pages/wiki-pages.ts";
export { explainKnowledge } from "./provenance/explain-knowledge.ts";
export {
  type CitedQuote,
  type ExplainedKey,
  explainedKeySchema,
  type ListedContradictions,
  listedContradictionsSchema,
  type SettledContradiction,
  settledContradictionSchema,
} from "./provenance/provenance-results.ts";
export {
  type ContradictionAnswer,
  listContradictions,
  settleContradiction,
} from "./provenance/review-contradictions.ts";
