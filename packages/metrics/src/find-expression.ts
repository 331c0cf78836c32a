import { type Context, createContext, Script } from "node:vm";

/** A search that takes longer is given up: an expression such as `^(a+)+$` may take years. */
const searchMs = 1000;

const search = new Script("new RegExp(source).test(text)");
let place: Context | undefined;

/**
 * Whether a regular expression is found in a text. Flags stand within it, as in `(?i:shipped)`. Throws a SyntaxError for
 * one that cannot be read, and an Error for a search that takes longer than a second.
 */
export function findExpression(source: string, text: string): boolean {
  new RegExp(source); // in this realm, so that its error is one that can be known
  place ??= createContext({});
  Object.assign(place, { source, text });
  try {
    return search.runInContext(place, { timeout: searchMs }) === true;
  } catch (cause) {
    throw new Error(`The expression /${source}/ takes too long on this text. Write it without nested repetition.`, {
      cause,
    });
  }
}
