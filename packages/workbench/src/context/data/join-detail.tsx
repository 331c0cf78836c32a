import type { ApiJoins } from "@bridle/client";
import { showHidden } from "@bridle/protocol/text";
import { Link } from "wouter";
import { Copyable } from "../../parts/copyable.tsx";
import { Mark } from "../../parts/mark.tsx";
import { Empty } from "../../parts/states.tsx";
import { contextAddress } from "./context-view.ts";
import { describeCoverage, describeJoin } from "./describe-join.ts";
import { JoinEnds } from "./join-ends.tsx";
import { Name } from "./name.tsx";

type Join = ApiJoins["joins"][number];

/** A join with the evidence for and against it, and the commands that confirm or reject it. */
export function JoinDetail({ join, id }: { join: Join | undefined; id: string }) {
  if (join === undefined) {
    return <Empty title={`There is no join ${showHidden(id, "").slice(0, 80)}.`}>It may be rejected by now.</Empty>;
  }
  const isOpen = join.status === "review";
  const decisions = [
    ...(isOpen || join.origin !== "person" ? [`npx bridle context joins accept ${join.id}`] : []),
    `npx bridle context joins reject ${join.id}`,
  ];
  return (
    <>
      <h2>
        <JoinEnds join={join} />
      </h2>
      <p>
        <Mark kind={isOpen ? "waiting" : "ok"} label={isOpen ? "to review" : "accepted"} />{" "}
        {isOpen ? "To review: agents see it as uncertain." : "Accepted: agents may use it."}
      </p>
      <p>{describeJoin(join)}</p>
      {join.reason !== undefined && <p dir="auto">{showHidden(join.reason)}</p>}
      {join.evidence !== undefined && <Evidence evidence={join.evidence} />}
      <p>
        {[...new Set([join.from.table, join.to.table])].map((table) => (
          <Link key={table} to={contextAddress({ view: "tables", open: table })} className="page-link">
            <Name text={table} />
          </Link>
        ))}
      </p>
      <section aria-label="Decide">
        <h3>Decide</h3>
        {decisions.map((command) => (
          <Copyable key={command} text={command} label="command">
            <code>{command}</code>
          </Copyable>
        ))}
      </section>
    </>
  );
}

function Evidence({ evidence }: { evidence: NonNullable<Join["evidence"]> }) {
  const { signals, examples } = evidence;
  return (
    <section aria-label="Evidence">
      <h3>Evidence</h3>
      <ul className="context-entries">
        <li>{describeCoverage(evidence)}</li>
        {signals.map((signal) => (
          <li key={signal}>{showHidden(signal, "")}</li>
        ))}
        {examples.length > 0 && (
          <li>
            without a parent, such as{" "}
            {examples.map((example) => (
              <code key={example} className="example">
                {showHidden(example, "")}
              </code>
            ))}
          </li>
        )}
      </ul>
    </section>
  );
}
