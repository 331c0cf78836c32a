/** Functions for readable texts, without Zod, for browser pages that must be small. */
export {
  counted,
  formatCost,
  formatCount,
  formatDollars,
  formatDuration,
  formatFileChanges,
  formatPercent,
  formatShare,
  listCost,
} from "./text/figures.ts";
export {
  escapeCharacter,
  showHidden,
  showHiddenInDocument,
  showHiddenInName,
  showHiddenInProse,
} from "./text/hidden-characters.ts";
export { shellWord } from "./text/shell-word.ts";
