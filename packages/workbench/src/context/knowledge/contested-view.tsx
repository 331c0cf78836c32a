import type { ApiContradictions, ApiDataContext } from "@bridle/client";
import { showHidden, showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useServer } from "../../connection/server.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Loading, Problem } from "../../parts/states.tsx";
import { contextAddress } from "../data/context-view.ts";
import { Name } from "../data/name.tsx";
import { NothingContested } from "../data/nothing-yet.tsx";
import { Quotes } from "./quotes.tsx";

type Contradiction = ApiContradictions["contradictions"][number];

/** Contradictions between documents, with both sides and the commands that resolve them. */
export function ContestedView({ overview }: { overview: ApiDataContext }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["data-context", "contradictions"],
    queryFn: () => client.contradictions(),
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the contradictions" height="24rem" />;
  if (data.contradictions.length === 0) return <NothingContested overview={overview} />;
  return (
    <>
      <p>Agents see all sides as disputed until a person decides. A decision is written to context/decisions.yaml.</p>
      <ul className="contradictions">
        {data.contradictions.map((contradiction) => (
          <li key={contradiction.claims.map(({ id }) => id).join()} className="card">
            <Contested contradiction={contradiction} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Contested({ contradiction: { claims, reason, pages, isDecidable } }: { contradiction: Contradiction }) {
  const [first] = claims;
  return (
    <>
      <h2>{reason === undefined ? "These disagree" : showHidden(reason)}</h2>
      {pages.length > 0 && (
        <p className="muted">
          On{" "}
          {pages.map((page) => (
            <Link key={page} to={contextAddress({ view: "pages", open: page })} className="page-link">
              <Name text={page} />
            </Link>
          ))}
        </p>
      )}
      <ol className="sides">
        {claims.map(({ id, text, sources }) => (
          <li key={id}>
            <p className="side-text" dir="auto">
              {showHiddenInDocument(text)}
            </p>
            <Quotes quotes={sources} statement={text} />
            {isDecidable && <Decision words="This one holds" command={`npx bridle context review choose ${id}`} />}
          </li>
        ))}
      </ol>
      {isDecidable && first !== undefined && (
        <Decision words="All of them hold" command={`npx bridle context review both ${first.id}`} />
      )}
      {!isDecidable && (
        <Decision
          words="It is not one of statements. Correct the document or the file that is wrong, and ingest again"
          command="npx bridle context ingest"
        />
      )}
    </>
  );
}

function Decision({ words, command }: { words: string; command: string }) {
  return (
    <p>
      {words}:{" "}
      <Copyable text={command} label="command">
        <code>{command}</code>
      </Copyable>
    </p>
  );
}
