import type { ApiDataContext, ApiExplained } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useServer } from "../../connection/server.tsx";
import { Mark, type MarkKind } from "../../parts/mark.tsx";
import { Loading, Problem } from "../../parts/states.tsx";
import { Quotes } from "./quotes.tsx";

type Claim = ApiExplained["claims"][number];

/** Whether anything was ingested, even if it can no longer be read. */
export function hasStatements({ ingest, ingestProblem }: ApiDataContext): boolean {
  return ingest !== null || ingestProblem !== null;
}

/** The statements about something, with the quotes that support them. Loaded on demand. */
export function Statements({ subject }: { subject: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="statements" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Why is this known?</summary>
      {isOpen && <ReadStatements subject={subject} />}
    </details>
  );
}

function ReadStatements({ subject }: { subject: string }) {
  const { client } = useServer();
  const { data, error } = useQuery({ queryKey: ["data-context", "why", subject], queryFn: () => client.why(subject) });
  if (error && data === undefined) return <Problem error={error} />;
  if (data === undefined) return <Loading what="the statements" />;
  if (data.claims.length === 0) return <p className="muted">No document mentions it.</p>;
  return (
    <ul className="context-entries">
      {data.claims.map((claim) => (
        <li key={claim.id}>
          <p dir="auto">
            <Mark {...markOf(claim)} /> {showHiddenInDocument(claim.text)}
          </p>
          <Quotes quotes={claim.sources} statement={claim.text} />
        </li>
      ))}
    </ul>
  );
}

function markOf({ status }: Claim): { readonly kind: MarkKind; readonly label: string } {
  if (status === "current") return { kind: "ok", label: "holds" };
  if (status === "contested") return { kind: "warn", label: "contested" };
  return { kind: "off", label: status };
}
