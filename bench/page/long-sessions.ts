/** Sessions that would freeze a page that rendered every event. */
import { inRounds, printFigures } from "./figures.ts";
import { clickOn, firstTextOf, scrollOf } from "./observers.ts";
import { type PageStage, withPage } from "./stage.ts";
import { writeCalls } from "./written-calls.ts";

interface Scrolled {
  readonly perSecond: number;
  readonly nodes: number;
}

export function measureLongSessions(rounds: number): Promise<void> {
  return withPage("long", async (stage) => {
    await writeCalls(stage.workspace, "long", 10_000);
    const long = await inRounds(rounds, () => readSession(stage, "long"));
    printFigures("A session of 10,000 events", [
      { name: "first content", values: long.map(({ firstMs }) => firstMs), goal: 1500 },
      { name: "nodes, elements and texts", values: long.map(({ nodes }) => nodes), unit: "", goal: 4000 },
      {
        name: "frames per second while it scrolls",
        values: long.map((each) => each.perSecond),
        unit: "/s",
        goal: 50,
        isMore: true,
      },
    ]);
    await writeCalls(stage.workspace, "longest", 100_000);
    const longest = await inRounds(rounds, () => readSession(stage, "longest"));
    printFigures("A session of 100,000 events", [
      { name: "first content", values: longest.map(({ firstMs }) => firstMs), goal: 2500 },
      { name: "nodes, elements and texts", values: longest.map(({ nodes }) => nodes), unit: "", goal: 4000 },
      {
        name: "frames per second while it scrolls",
        values: longest.map((each) => each.perSecond),
        unit: "/s",
        isMore: true,
      },
    ]);
  });
}

function readSession({ visit }: PageStage, session: string): Promise<Scrolled & { readonly firstMs: number }> {
  return visit(`/s/${session}`, async (page) => {
    const firstMs = await page.evaluate<number>(firstTextOf(".entry"));
    return { firstMs, ...(await page.evaluate<Scrolled>(scrollOf("[role=log]"))) };
  });
}

export function measureReplays(rounds: number): Promise<void> {
  return withPage("replays", async (stage) => {
    await writeCalls(stage.workspace, "long", 10_000);
    const replays = await inRounds(rounds, () => replay(stage));
    printFigures("The replay of a run of 10,000 events", [
      { name: "first content", values: replays.map(({ firstMs }) => firstMs) },
      { name: "nodes, elements and texts", values: replays.map(({ nodes }) => nodes), unit: "", goal: 4000 },
      {
        name: "frames per second while its steps scroll",
        values: replays.map((each) => each.perSecond),
        unit: "/s",
        isMore: true,
      },
      { name: "one step back, until it is painted", values: replays.map(({ stepMs }) => stepMs) },
    ]);
  });
}

function replay({ visit }: PageStage) {
  return visit("/s/long/runs/run_of_long", async (page) => {
    const firstMs = await page.evaluate<number>(firstTextOf(".replay-steps button"));
    const scrolled = await page.evaluate<Scrolled>(scrollOf(".replay-steps"));
    const last = await page.locator(".replay-entries .call-line").last().textContent();
    const start = performance.now();
    await page.evaluate(clickOn("[aria-label='Previous step']"));
    await page.waitForFunction(
      `[...document.querySelectorAll(".replay-entries .call-line")].at(-1).textContent !== ${JSON.stringify(last)}`,
    );
    return { firstMs, ...scrolled, stepMs: performance.now() - start };
  });
}
