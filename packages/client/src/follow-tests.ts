import type * as api from "./api-types.ts";
import { openEvents, type ReconnectOptions, reconnecting } from "./event-stream.ts";
import type { Http } from "./http.ts";

type Trial = api.ApiTestRun["cases"][number]["trials"][number];

type TrialOverview = api.ApiTestRunOverview["cases"][number]["trials"][number];

/** The events of a test run, without the messages of its trials. */
export type TestOverviewNews =
  | { readonly type: "run"; readonly run: api.ApiTestRunOverview }
  | { readonly type: "trial.finished"; readonly result: TrialOverview & { readonly case: string } }
  | Exclude<TestRunNews, { readonly type: "run" | "trial.finished" }>;

/** The events of a test run: the whole run when the connection begins and at the end, and the events of each trial in between. */
export type TestRunNews =
  | { readonly type: "run"; readonly run: api.ApiTestRun }
  | { readonly type: "trial.started"; readonly case: string; readonly trial: number }
  | { readonly type: "trial.finished"; readonly result: Trial & { readonly case: string } }
  | { readonly type: "waiting"; readonly until: number; readonly message: string };

/** Yields the events of a test run until it has ended. Reconnects when the connection breaks, and then yields the whole run again. */
export async function* followTests<News extends TestRunNews | TestOverviewNews>(
  http: Http,
  id: string,
  { query, ...options }: ReconnectOptions & { readonly query?: { readonly overview: "1" } },
): AsyncGenerator<News> {
  const path = ["tests", "runs", id, "events"];
  for await (const { event, data } of reconnecting(() => openEvents(http, path, { ...options, query }), options)) {
    const content = JSON.parse(data); // has the type of the server's schemas
    const news: News = event === "run" ? { type: "run", run: content } : content;
    yield news;
    if (news.type === "run" && news.run.state !== "running") return;
  }
}
