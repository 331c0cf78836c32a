import type { ApiTestRunOverview } from "@bridle/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useServer } from "../connection/server.tsx";
import { foldNews, noNews, progressOf } from "./live-progress.ts";

/** The minimum interval, in milliseconds, at which the results are read while trials end. */
const readEveryMs = 1000;

/** Follows a test run in progress, and reloads its results when trials have ended. Undefined if the run is not in progress. */
export function useLiveRun(id: string, run: ApiTestRunOverview | undefined) {
  const isRunning = run?.state === "running";
  const { client } = useServer();
  const queries = useQueryClient();
  const [folded, setFolded] = useState(noNews);
  const [isConnected, setConnected] = useState(true);
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows it again
  useEffect(() => {
    if (!isRunning) return;
    setError(undefined);
    const leaving = new AbortController();
    const queryKey = ["tests", "run", id];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey });
      }, readEveryMs);
    };
    const follow = async () => {
      for await (const news of client.followTestOverview(id, { signal: leaving.signal, onConnection: setConnected })) {
        setFolded((before) => foldNews(before, news));
        if (news.type === "run") queries.setQueryData(queryKey, news.run);
        else if (news.type === "trial.finished") readSoon();
      }
      void queries.invalidateQueries({ queryKey: ["tests"] });
    };
    follow().catch(setError); // lost connections are reopened automatically, so this one was rejected
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [client, queries, id, isRunning, attempt]);
  if (!isRunning) return undefined;
  const news = folded === noNews ? foldNews(noNews, { type: "run", run }) : folded; // no news has arrived yet
  return { progress: progressOf(news), isConnected, error, retry: () => setAttempt(attempt + 1) };
}
