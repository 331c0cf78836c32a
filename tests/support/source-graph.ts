import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { readPackages, root } from "../../scripts/packages.ts";

/** A published source file with the source files that it imports, including imports of types. Paths are relative to the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*"([^"\s]+)"/g;

/** Reads the sources of all packages, without tests. */
export function readSources(): readonly SourceFile[] {
  const entries = sourceEntries();
  const paths = globSync("packages/{*,hosts/*,stores/*}/src/**/*.{ts,tsx}", { cwd: root });
  const sources = paths.filter((path) => !/(\.test|-for-tests)\.tsx?$/.test(path)).sort();
  const known = new Set(sources);
  return sources.map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const code = text.replaceAll(/^\s*(\*|\/[/*]).*$/gm, "");
    const targets = [...code.matchAll(importPattern)].map(([, specifier = ""]) =>
      specifier.startsWith(".") ? normalize(join(dirname(path), specifier)) : entries.get(specifier),
    );
    return {
      path,
      text,
      imports: [...new Set(targets.filter((target) => target !== undefined && known.has(target)))] as string[],
    };
  });
}

/** Returns the source file behind each entry of our packages, by its specifier. */
function sourceEntries(): ReadonlyMap<string, string> {
  return new Map(
    readPackages().flatMap(({ name, folder, exports }) =>
      Object.entries(exports).map(([entry, target]) => [
        join(name, entry),
        join(folder.slice(root.length), target["@bridle/source"]),
      ]),
    ),
  );
}

/** Lists the groups of nodes that reach each other, each with two or more members. */
export function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reach = new Map([...graph.keys()].map((node) => [node, reachableFrom(node, graph)]));
  const seen = new Set<string>();
  return [...graph.keys()].flatMap((node) => {
    if (seen.has(node) || !reach.get(node)?.has(node)) return [];
    const cycle = [...graph.keys()].filter((other) => reach.get(node)?.has(other) && reach.get(other)?.has(node));
    for (const each of cycle) seen.add(each);
    return [cycle];
  });
}

function reachableFrom(node: string, graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(graph.get(node) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return found;
}

/**
 * Finds the smallest set of edges without which the graph has no cycles. Each group of nodes that reach each other must have at most 20
 * nodes.
 */
export function edgesAgainst(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly [string, string])[] {
  return cyclesIn(graph).flatMap((group) => {
    const order = bestOrder(group, graph);
    const place = new Map(order.map((node, index) => [node, index]));
    const above = (node: string, target: string) => (place.get(target) ?? -1) > (place.get(node) ?? 0);
    return order.flatMap((node) =>
      (graph.get(node) ?? []).filter((to) => above(node, to)).map((to) => [node, to] as const),
    );
  });
}

/**
 * Orders nodes, the lowest first, with the fewest edges to a later node. The best order of each subset is built from those of smaller
 * subsets.
 */
function bestOrder(nodes: readonly string[], graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const targets = nodes.map((node) =>
    (graph.get(node) ?? []).reduce(
      (bits, target) => bits | (nodes.includes(target) ? 1 << nodes.indexOf(target) : 0),
      0,
    ),
  );
  const cost = new Int32Array(1 << nodes.length).fill(-1);
  const last = new Int8Array(1 << nodes.length);
  cost[0] = 0;
  for (let placed = 0; placed < cost.length; placed++) {
    for (const [index, bits] of targets.entries()) {
      const next = placed | (1 << index);
      if (next === placed) continue;
      const found = (cost[placed] ?? 0) + bitsOf(bits & ~placed);
      if (cost[next] !== -1 && found >= (cost[next] ?? 0)) continue;
      cost[next] = found;
      last[next] = index;
    }
  }
  const order: string[] = [];
  for (let placed = cost.length - 1; placed > 0; placed &= ~(1 << (last[placed] ?? 0)))
    order.unshift(nodes[last[placed] ?? 0] ?? "");
  return order;
}

function bitsOf(bits: number): number {
  return bits === 0 ? 0 : (bits & 1) + bitsOf(bits >>> 1);
}

/** Returns the level of each node: one above the highest node that it imports. The graph must have no cycles. */
export function levelsOf(graph: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  const levelOf = (node: string): number => {
    const known = levels.get(node);
    if (known !== undefined) return known;
    const level = 1 + Math.max(0, ...(graph.get(node) ?? []).map(levelOf));
    levels.set(node, level);
    return level;
  };
  for (const node of graph.keys()) levelOf(node);
  return levels;
}
