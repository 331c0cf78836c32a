const entities = [
  ["&quot;", '"'],
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
] as const;

/**
 * The tokenizer 13a of sacreBLEU, which is that of the script mteval-v13a.pl: symbols of ASCII stand alone, except `'`, and
 * `.`, `,` and `-` next to digits: a point or a comma stays within a number, and a dash after a digit stands alone.
 */
export function bleuTokens(text: string): string[] {
  const line = text.trimEnd().replaceAll("<skipped>", "").replaceAll("-\n", "").replaceAll("\n", " ");
  const plain = entities.reduce((rest, [entity, character]) => rest.replaceAll(entity, character), line);
  const spaced = ` ${plain} `
    .replaceAll(/[ -&(-+/:-@[-`{-~]/g, " $& ")
    .replaceAll(/([^0-9])([.,])/g, "$1 $2 ")
    .replaceAll(/([.,])([^0-9])/g, " $1 $2")
    .replaceAll(/([0-9])(-)/g, "$1 $2 ");
  return spaced.split(/\s+/).filter((token) => token !== "");
}
