import type { ApiFoundDocuments } from "@bridle/client";
import { shellWord, showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { paths, withSearch } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { useCommands } from "../keys/keyboard.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { describePlace, passageKey } from "./passage-place.ts";

/** Searches as the model does: the same passages in the same order, with their scores. */
export function DocumentSearch({ agent, agentFile }: { agent: string; agentFile: string }) {
  const { client } = useServer();
  const [search, setSearch] = useSearchParams();
  const query = search.get("q") ?? "";
  const [text, setText] = useState(query);
  const input = useRef<HTMLInputElement>(null);
  useCommands([
    { id: "documents-search", title: "Search the documents", keys: "/", run: () => input.current?.focus() },
  ]);
  const { data, error, isFetching } = useQuery({
    queryKey: ["documents", agent, "search", query],
    queryFn: () => client.searchDocuments({ agent, query }),
    enabled: query !== "",
  });
  return (
    <section aria-label="Search" className="document-search">
      <form
        className="actions"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(text.trim() === "" ? { agent } : { agent, q: text.trim() });
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Search as the model"
          placeholder="Search as the model does"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">Search</button>
      </form>
      {error && <Problem error={error} />}
      {isFetching && data === undefined && <Loading what="the passages" />}
      {data?.documents.every(({ hits }) => hits.length === 0) ? (
        <Empty title="No passage fits these words." commands={[searchCommand(query, agentFile)]}>
          <p>The model finds nothing either. Use words of the documents, or update the index if they are newer.</p>
        </Empty>
      ) : (
        data?.documents.map((found) => <Hits key={found.tool} agent={agent} query={query} found={found} />)
      )}
    </section>
  );
}

function searchCommand(query: string, agentFile: string): string {
  const words = agentFile === "agent.yaml" ? [query] : [query, agentFile];
  return ["npx bridle documents search", ...words.map(shellWord)].join(" ");
}

interface HitsProps {
  readonly agent: string;
  readonly query: string;
  readonly found: ApiFoundDocuments["documents"][number];
}

function Hits({ agent, query, found: { tool, hits } }: HitsProps) {
  if (hits.length === 0) return <p className="muted">{tool} has no passage for this.</p>;
  return (
    <ol aria-label={`Passages of ${tool}`}>
      {hits.map((hit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several passages can come from the same file
        <li key={at} className="passage">
          <p>
            <Link to={withSearch(paths.documents, { agent, q: query, tool, file: hit.file, open: passageKey(hit) })}>
              {showHiddenInDocument(hit.file)}
            </Link>{" "}
            <span className="muted">{describePlace(hit)}</span> <span className="score">{hit.score.toFixed(3)}</span>
          </p>
          <pre dir="auto">{showHiddenInDocument(hit.text)}</pre>
        </li>
      ))}
    </ol>
  );
}
