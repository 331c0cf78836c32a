import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Mark } from "../parts/mark.tsx";
import { TimeAgo } from "../text/time-ago.tsx";
import { describeUntested } from "./describe-untested.ts";

interface LastTestsProps {
  readonly agent: string;
  /** The test run. Undefined until it is loaded. */
  readonly cases: number | undefined;
}

/** The result of an agent's newest tests. */
export function LastTests({ agent, cases }: LastTestsProps) {
  const { client } = useServer();
  const { data } = useQuery({
    queryKey: ["tests", "last", agent],
    queryFn: () => client.testRuns({ agent, limit: 1 }),
    staleTime: 30_000,
  });
  const [last] = data?.runs ?? [];
  if (last === undefined) {
    return <p className="muted">{data === undefined ? "\u00a0" : describeUntested(cases)}</p>;
  }
  const isGood = last.failed + last.errored === 0 && last.passed > 0;
  return (
    <p>
      <Mark kind={isGood ? "ok" : "bad"} label={isGood ? "passed" : "not passed"} />{" "}
      <Link to={paths.testRun(last.id)}>
        {last.passed} of {last.passed + last.failed + last.errored + last.notRun} tests passed
      </Link>{" "}
      <span className="muted">
        <TimeAgo at={last.startedAt} />
      </span>
    </p>
  );
}
