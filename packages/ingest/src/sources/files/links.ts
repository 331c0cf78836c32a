/** Lists the links in a Markdown text, without following them. */
import { posix } from "node:path";

const maxLinks = 200;
const inlineLink = /\]\(\s{0,9}<?([^()[\]\s<>]{1,1000})/g;
const wikiLink = /\[\[([^[\]|#\n]{1,200})/g;

/**
 * Returns what a text links to: ids of other items, and addresses. Resolves relative targets against the item's folder. Leaves out targets
 * outside the source.
 *
 * @param normalise returns the id for a target, for example without the suffix of an export.
 */
export function findLinks(
  text: string,
  id: string,
  normalise: (target: string) => string = (target) => target,
): readonly string[] {
  const found = new Set<string>();
  for (const [, target = ""] of text.matchAll(inlineLink)) {
    const link = resolveTarget(target, id, normalise);
    if (link !== undefined) found.add(link);
    if (found.size >= maxLinks) break;
  }
  for (const [, name = ""] of text.matchAll(wikiLink)) {
    if (found.size >= maxLinks) break;
    found.add(name.trim());
  }
  return [...found];
}

function resolveTarget(target: string, id: string, normalise: (target: string) => string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return withoutCredentials(target);
  const [path = ""] = target.split(/[?#]/, 1);
  if (path === "") return undefined;
  const decoded = decode(path);
  const joined = posix.normalize(decoded.startsWith("/") ? decoded.slice(1) : posix.join(posix.dirname(id), decoded));
  return joined === ".." || joined.startsWith("../") ? undefined : normalise(joined);
}

/** Returns a web address without user, password and query, which may contain a token. */
function withoutCredentials(address: string): string | undefined {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
