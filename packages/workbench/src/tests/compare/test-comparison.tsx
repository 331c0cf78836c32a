import type { ApiComparison } from "@bridle/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { paths } from "../../addresses/paths.ts";
import { useServer } from "../../connection/server.tsx";
import { Empty, Loading, NotFound } from "../../parts/states.tsx";
import { ComparedCases } from "./compared-cases.tsx";
import { ComparedMetrics } from "./compared-metrics.tsx";
import "../tests.css";

/** Compares two test runs: the changes, and whether they are statistically significant. */
export function TestComparison() {
  const [search] = useSearchParams();
  const [a, b] = [search.get("a"), search.get("b")];
  if (a === null || b === null) {
    return (
      <Empty title="Choose two test runs to compare." commands={["npx bridle test compare previous newest"]}>
        <Link to={paths.tests}>To the history of the tests</Link>
      </Empty>
    );
  }
  return <Compared a={a} b={b} />;
}

function Compared({ a, b }: { a: string; b: string }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["tests", "compare", a, b],
    queryFn: () => client.compareTests(a, b),
  });
  if (error && data === undefined) {
    return (
      <NotFound
        isPage
        error={error}
        retry={() => void refetch()}
        names={["a", "b"]}
        title="There are no such two test runs to compare."
        commands={["npx bridle test history", "npx bridle test compare previous newest"]}
      >
        <Link to={paths.tests}>To the history of the tests</Link>
      </NotFound>
    );
  }
  if (data === undefined) return <Loading what="the comparison" height="24rem" />;
  return (
    <div className="page tests-page">
      <h1>Comparison</h1>
      <p>
        <Link to={paths.testRun(data.before.id)}>{data.before.id}</Link> before,{" "}
        <Link to={paths.testRun(data.after.id)}>{data.after.id}</Link> after
      </p>
      {data.warnings.map((warning) => (
        <p key={warning} className="note">
          {warning}
        </p>
      ))}
      <Differences comparison={data} />
      <ComparedMetrics comparison={data} />
      <ComparedCases comparison={data} />
    </div>
  );
}

function Differences({ comparison: { differences, configuration } }: { comparison: ApiComparison }) {
  if (differences.length + configuration.length === 0) return <p className="muted">Both ran with the same settings.</p>;
  return (
    <ul>
      {differences.map(({ what, before, after }) => (
        <li key={what}>
          {what}: <code>{before ?? "–"}</code> → <code>{after ?? "–"}</code>
        </li>
      ))}
      {configuration.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
