import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { useServer } from "../connection/server.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { DocumentFile } from "./document-file.tsx";
import { DocumentIndexes } from "./document-indexes.tsx";
import { DocumentSearch } from "./document-search.tsx";
import "./documents.css";

/** The documents of an agent: the state of their indexes, a search as the model sees it, and a passage in its file. */
export function Documents() {
  const { client } = useServer();
  const [search, setSearch] = useSearchParams();
  const { data, error, refetch } = useQuery({
    queryKey: ["agents"],
    queryFn: () => client.agents(),
    staleTime: 60_000,
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the agents" height="24rem" />;
  const agent = search.get("agent") ?? data.agents[0]?.id;
  if (agent === undefined) return <Empty title="No agent, so no documents." commands={["npx bridle init"]} />;
  const [tool, file] = [search.get("tool"), search.get("file")];
  return (
    <div className="page documents-page">
      <h1>Documents</h1>
      <div className="actions">
        <label htmlFor="documents-agent">Agent</label>
        <select
          id="documents-agent"
          value={agent}
          onChange={({ target }) => setSearch({ agent: target.value }, { replace: true })}
        >
          {data.agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <DocumentIndexes key={agent} agent={agent} />
      <DocumentSearch key={`${agent} search`} agent={agent} />
      {tool !== null && file !== null && (
        <DocumentFile agent={agent} tool={tool} file={file} passage={search.get("open")} />
      )}
    </div>
  );
}
