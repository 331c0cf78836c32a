/** Measures the downloads of a first visit, its paint time, and shifts of the layout. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtPage } from "../../scripts/build-page.ts";
import { type Figure, inRounds, printFigures } from "./figures.ts";
import { firstTextOf } from "./observers.ts";
import { type PageStage, withPage } from "./stage.ts";
import { writeCalls } from "./written-calls.ts";

interface FirstLoad {
  readonly kilobytes: number;
  readonly lcp: number;
  readonly cls: number;
}

/** Milliseconds to wait after the first content, because late data may still shift the layout. */
const settleMs = 1500;

export function measureLoading(rounds: number): Promise<void> {
  return withPage("loading", async (stage) => {
    await writeCalls(stage.workspace, "short", 100);
    for (const [title, path, selector] of [
      ["The home page", "/", ".page h1, .page h2"],
      ["A conversation", "/s/short", ".entry"],
    ] as const) {
      const loads = await inRounds(rounds, () => load(stage, path, selector));
      printFigures(`${title}, opened for the first time`, figuresOf(loads));
    }
  });
}

function figuresOf(loads: readonly FirstLoad[]): readonly Figure[] {
  return [
    { name: "JavaScript and CSS, gzipped", values: loads.map(({ kilobytes }) => kilobytes), unit: "kB", goal: 200 },
    { name: "largest contentful paint", values: loads.map(({ lcp }) => lcp), goal: 1000 },
    { name: "shifts of the layout", values: loads.map(({ cls }) => cls), unit: "", goal: 0.02 },
  ];
}

function load({ visit }: PageStage, path: string, selector: string): Promise<FirstLoad> {
  return visit(path, async (page, requests) => {
    await page.evaluate(firstTextOf(selector));
    await page.waitForTimeout(settleMs);
    const { lcp, cls } = await page.evaluate<{ lcp: number; cls: number }>("({ lcp: bench.lcp, cls: bench.cls })");
    return { kilobytes: gzippedKilobytes(requests), lcp, cls };
  });
}

/** Returns the gzipped size of the page's files that the browser requested, including the script that its tabs share. */
function gzippedKilobytes(requests: ReadonlySet<string>): number {
  const files = [...requests].filter((path) => /^\/assets\/.*\.(?:js|css)$/.test(path));
  return files.reduce((sum, file) => sum + readFileSync(join(builtPage, `${file}.gz`)).length, 0) / 1000;
}
