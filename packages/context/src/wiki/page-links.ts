/** Finds links between pages: `[[fares]]`, `[[fares|the fares]]`, `[[fares#Gross fare]]`. Pure. */

export interface PageLink {
  /** The name of the page that the link leads to. */
  readonly slug: string;
  /** The offset of the link in the body. */
  readonly offset: number;
}

/** Finds the links in a body, except those in code. */
export function findPageLinks(body: string): readonly PageLink[] {
  const text = withoutCode(body);
  return [...text.matchAll(/(?<!\\)\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|[^[\]\n]*)?\]\]/g)].map(
    ({ 1: slug = "", index }) => ({
      slug: slug.trim(),
      offset: index,
    }),
  );
}

/** Replaces code with blanks, so that offsets stay. */
export function withoutCode(body: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, " ");
  return body
    .replaceAll(/^( {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\2[`~]*[ \t]*$|(?![\s\S]))/gm, blank)
    .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, blank);
}
