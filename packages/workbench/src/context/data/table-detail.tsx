import type { ApiDataContext, ApiTable } from "@bridle/client";
import { counted, showHidden } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useServer } from "../../connection/server.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Loading, NotFound } from "../../parts/states.tsx";
import { TimeAgo } from "../../text/time-ago.tsx";
import { hasStatements, Statements } from "../knowledge/statements.tsx";
import { contextAddress } from "./context-view.ts";
import { describeJoin } from "./describe-join.ts";
import { JoinEnds } from "./join-ends.tsx";
import { Name, Names } from "./name.tsx";
import { TableColumns } from "./table-columns.tsx";

/** Everything that is known about one table. */
export function TableDetail({ id, overview }: { id: string; overview: ApiDataContext }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["data-context", "table", id],
    queryFn: () => client.table(id),
  });
  if (error && data === undefined) {
    return (
      <NotFound
        error={error}
        retry={() => void refetch()}
        title={`No table ${showHidden(id, "")} is known.`}
        names={["table"]}
        commands={["npx bridle context scan"]}
      >
        <p>
          <Link to={contextAddress({ view: "tables" })}>See the tables that are known</Link>, or read the databases
          again with the command.
        </p>
      </NotFound>
    );
  }
  if (data === undefined) return <Loading what="the table" height="24rem" />;
  return (
    <>
      <h2>
        <Copyable text={data.id} label="identifier">
          <Name text={data.id} />
        </Copyable>
      </h2>
      <TableFacts table={data} />
      <TableColumns columns={data.columns} />
      <TableJoins table={data} />
      {hasStatements(overview) && <Statements subject={data.id} />}
    </>
  );
}

function TableFacts({ table }: { table: ApiTable }) {
  const { kind, rows, rowsAreExact, sample, key, problem, scannedAt, description } = table;
  return (
    <>
      <p>
        {kind}
        {rows !== undefined && `, ${rowsAreExact ? "" : "about "}${counted(rows, "row")}`}
        {sample !== undefined && `, read: ${showHidden(sample)}`}, scanned <TimeAgo at={scannedAt} />
      </p>
      {key !== undefined && (
        <p>
          Key: <Names of={key.columns} />{" "}
          <span className="muted">{key.declared ? "declared" : `found, score ${key.score.toFixed(2)}`}</span>
        </p>
      )}
      {problem !== undefined && (
        <p className="note">
          <Mark kind="warn" label="a problem" /> {showHidden(problem)}
        </p>
      )}
      {description !== undefined && (
        <p dir="auto">
          {showHidden(description.text)} <span className="muted">({showHidden(description.source)})</span>
        </p>
      )}
    </>
  );
}

function TableJoins({ table: { joins } }: { table: ApiTable }) {
  if (joins.length === 0) return <p className="muted">No join of this table is known.</p>;
  return (
    <section aria-label="Joins">
      <h3>Joins</h3>
      <ul className="context-entries">
        {joins.map((join) => (
          <li key={join.id}>
            <Link to={contextAddress({ view: "joins", open: join.id })}>
              <JoinEnds join={join} />
            </Link>
            <p className="muted">
              {join.status === "review" && "to review, "}
              {describeJoin(join)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
