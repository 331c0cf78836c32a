import picomatch from "picomatch";
import type { StagedItem } from "./source.ts";

/**
 * Creates a filter for items that match one of the patterns by id, title, or `source/id`. A pattern is a name or a glob.
 *
 * @example createItemFilter(["metrics/**", "Fares"])
 */
export function createItemFilter(
  patterns: readonly string[],
): (item: Pick<StagedItem, "source" | "id" | "title">) => boolean {
  const matches = patterns.map((pattern) => {
    const isMatch = picomatch(pattern, { dot: true, nocase: true });
    return (name: string) => name.toLowerCase() === pattern.toLowerCase() || isMatch(name);
  });
  return ({ source, id, title }) => [id, title, `${source}/${id}`].some((name) => matches.some((each) => each(name)));
}
