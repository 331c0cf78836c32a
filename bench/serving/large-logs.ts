/** Measures what large event logs cost through the server's routes: a list of 100,000 sessions, and a bundle of a million events. */
import { beginSession, writeSession } from "../../packages/server/tests/support/written-session.ts";
import { printTable } from "../table.ts";
import { benchToken, openBenchProject, printShares, serveBench } from "./stage.ts";

const headers = { authorization: `Bearer ${benchToken}` };

export async function measureSessionLists(): Promise<void> {
  const workspace = await openBenchProject("sessions");
  const [agent] = workspace.agents.list();
  for (let index = 0; index < 100; index += 1) await workspace.sessions.create({ id: `s${index}` }); // these become the oldest sessions
  const batch = 500;
  for (let first = 0; first < 100_000; first += batch) {
    const names = Array.from({ length: batch }, (_, index) => `s${first + index}`);
    const writers = await Promise.all(names.map((name) => beginSession(workspace.eventLog, name)));
    await Promise.all(writers.map((writer) => writer.close()));
  }
  const server = await serveBench(workspace);
  const queries = {
    "without a filter": "?limit=50",
    "of the agent of the 100 oldest": `?limit=50&agent=${agent?.id}`,
    "with words that none has": "?limit=50&q=nothing-has-this",
  };
  for (const [title, query] of Object.entries(queries)) {
    const times: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const start = performance.now();
      await (await fetch(`${server.url}/api/v1/sessions${query}`, { headers })).text();
      times.push(performance.now() - start);
    }
    printShares(`A page of 100,000 sessions through the route, ${title}`, "100 ms at most", times);
  }
  await server.close();
  await workspace.close();
}

/** Returns the megabytes that the process grows while the bundle of a run is read through the route. */
async function bundleMegabytes(events: number): Promise<number> {
  const workspace = await openBenchProject(`bundle-${events}`);
  for (let part = 0; part < events; part += 10_000) await writeSession(workspace.eventLog, "s", 10_000);
  const server = await serveBench(workspace);
  const before = process.memoryUsage().rss;
  let max = before;
  const response = await fetch(`${server.url}/api/v1/runs/run_of_s/bundle`, { headers });
  if (!response.ok) throw new Error(await response.text());
  for await (const _piece of response.body ?? []) max = Math.max(max, process.memoryUsage().rss);
  await server.close();
  await workspace.close();
  return (max - before) / 2 ** 20;
}

export async function measureBundles(): Promise<void> {
  for (const events of [100_000, 1_000_000]) {
    const grown = { name: "resident", values: [await bundleMegabytes(events)] };
    const target = "the same for both";
    printTable(`Memory that a bundle of ${events.toLocaleString("en")} events adds`, [grown], { unit: "MB", target });
  }
}
