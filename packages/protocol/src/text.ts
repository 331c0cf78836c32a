/** Texts for people, without Zod: for pages in a browser, where each kilobyte counts. */
export {
  counted,
  formatCost,
  formatCount,
  formatDollars,
  formatDuration,
  formatFileChanges,
  formatPercent,
  formatShare,
} from "./text/figures.ts";
export {
  escapeCharacter,
  showHidden,
  showHiddenInDocument,
  showHiddenInName,
  showHiddenInProse,
} from "./text/hidden-characters.ts";
export { shellWord } from "./text/shell-word.ts";
