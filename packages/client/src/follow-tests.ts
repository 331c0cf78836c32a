import type * as api from "./api-types.ts";
import { openEvents, type ReconnectOptions, reconnecting } from "./event-stream.ts";
import type { Http } from "./http.ts";

type Trial = api.ApiTestRun["cases"][number]["trials"][number];

/** What happens in a test run: the whole run when the connection begins and at the end, and what each trial does between. */
export type TestRunNews =
  | { readonly type: "run"; readonly run: api.ApiTestRun }
  | { readonly type: "trial.started"; readonly case: string; readonly trial: number }
  | { readonly type: "trial.finished"; readonly result: Trial & { readonly case: string } }
  | { readonly type: "waiting"; readonly until: number; readonly message: string };

/** Yields the news of a test run until it has ended. Opens the connection again when it breaks; the whole run comes again then. */
export async function* followTests(http: Http, id: string, options: ReconnectOptions): AsyncGenerator<TestRunNews> {
  const path = ["tests", "runs", id, "events"];
  for await (const { event, data } of reconnecting(() => openEvents(http, path, options), options)) {
    const content = JSON.parse(data); // as the server's schemas have it
    const news: TestRunNews = event === "run" ? { type: "run", run: content } : content;
    yield news;
    if (news.type === "run" && news.run.state !== "running") return;
  }
}
