import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Mark } from "../parts/mark.tsx";
import { TimeAgo } from "../text/time-ago.tsx";

interface LastTestsProps {
  readonly agent: string;
  /** Nothing while it is not known. */
  readonly cases: number | undefined;
}

/** How the newest tests of an agent went. */
export function LastTests({ agent, cases }: LastTestsProps) {
  const { client } = useServer();
  const { data } = useQuery({
    queryKey: ["tests", "last", agent],
    queryFn: () => client.testRuns({ agent, limit: 1 }),
    staleTime: 30_000,
  });
  const [last] = data?.runs ?? [];
  if (last === undefined) {
    return <p className="muted">{describeCases(cases)}</p>;
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

function describeCases(cases: number | undefined): string {
  if (cases === undefined) return "\u00a0"; // it keeps its height
  if (cases === 0) return "It has no test cases.";
  return cases === 1 ? "Its test case has not run yet." : `Its ${cases} test cases have not run yet.`;
}
