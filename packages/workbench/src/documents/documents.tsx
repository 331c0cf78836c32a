import type { ApiAgent } from "@bridle/client";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { useServer } from "../connection/server.tsx";
import { AgentChoice } from "../parts/agent-choice.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { DocumentFile } from "./document-file.tsx";
import { DocumentIndexes } from "./document-indexes.tsx";
import { DocumentSearch } from "./document-search.tsx";
import { NoDocuments } from "./no-documents.tsx";
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
  return (
    <div className="page documents-page">
      <h1>Documents</h1>
      <AgentChoice agents={data.agents} chosen={agent} onChoose={(id) => setSearch({ agent: id }, { replace: true })} />
      <DocumentsOf key={agent} agent={agent} />
    </div>
  );
}

function DocumentsOf({ agent }: { agent: string }) {
  const { client } = useServer();
  const [search] = useSearchParams();
  const { data, error, refetch } = useQuery({
    queryKey: ["agent", agent],
    queryFn: () => client.agent(agent),
    staleTime: 60_000,
    retry: false, // a file that is wrong stays wrong
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the agent" height="16rem" />;
  if (data.file === null || !hasDocuments(data)) return <NoDocuments file={data.file} />;
  const [tool, file] = [search.get("tool"), search.get("file")];
  return (
    <>
      <DocumentIndexes agent={agent} file={data.file} />
      <DocumentSearch agent={agent} />
      {tool !== null && file !== null && (
        <DocumentFile agent={agent} tool={tool} file={file} passage={search.get("open")} />
      )}
    </>
  );
}

/** The types of tools that search documents. */
const kinds: readonly string[] = ["documents", "vectorstore", "hierarchical_document"];

function hasDocuments({ details }: ApiAgent): boolean {
  return details?.tools.some(({ kind }) => kinds.includes(kind)) ?? false;
}
