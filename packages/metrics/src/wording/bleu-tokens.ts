import { splitAtSpace, trimEndSpace } from "../scoring/white-space.ts";

const entities = [
  ["&quot;", '"'],
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
] as const;

/**
 * Splits a text like sacreBLEU's tokenizer 13a, which is that of the script mteval-v13a.pl. ASCII symbols are tokens, except `'`, and `.`
 * and `,` within a number. A dash is a token only after a digit.
 */
export function bleuTokens(text: string): string[] {
  const line = trimEndSpace(text).replaceAll("<skipped>", "").replaceAll("-\n", "").replaceAll("\n", " ");
  const plain = entities.reduce((rest, [entity, character]) => rest.replaceAll(entity, character), line);
  const spaced = ` ${plain} `
    .replaceAll(/[ -&(-+/:-@[-`{-~]/g, " $& ")
    .replaceAll(/([^0-9])([.,])/g, "$1 $2 ")
    .replaceAll(/([.,])([^0-9])/g, " $1 $2")
    .replaceAll(/([0-9])(-)/g, "$1 $2 ");
  return splitAtSpace(spaced);
}
