import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { AgentChoice } from "../parts/agent-choice.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { useSearchPlace } from "../parts/use-search-place.ts";
import { DocumentFile } from "./document-file.tsx";
import { DocumentIndexes } from "./document-indexes.tsx";
import { DocumentSearch } from "./document-search.tsx";
import { NoDocuments } from "./no-documents.tsx";
import "./documents.css";

/** Clears the URL parameters that are specific to one agent. */
const noChoice = { q: undefined, tool: undefined, file: undefined, open: undefined };

/** The documents of an agent: the state of their indexes, a search as the model sees it, and a passage in its file. */
export function Documents() {
  const { client } = useServer();
  const place = useSearchPlace();
  const { data, error, refetch } = useQuery({
    queryKey: ["agents"],
    queryFn: () => client.agents(),
    staleTime: 60_000,
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the agents" height="24rem" />;
  const agent = place.get("agent") ?? data.agents[0]?.id;
  if (agent === undefined) return <Empty title="No agent, so no documents." commands={["npx bridle init desk"]} />;
  const listed = data.agents.find(({ id }) => id === agent);
  const agentFile = listed === undefined ? agent : listed.file; // the server reports that the agent does not exist
  return (
    <div className="page documents-page">
      <h1>Documents</h1>
      <AgentChoice agents={data.agents} chosen={agent} onChoose={(id) => place.set({ ...noChoice, agent: id })} />
      <DocumentsOf key={agent} agent={agent} agentFile={agentFile} />
    </div>
  );
}

interface DocumentsOfProps {
  readonly agent: string;
  /** The agent file. Null for the project's model. */
  readonly agentFile: string | null;
}

function DocumentsOf({ agent, agentFile }: DocumentsOfProps) {
  const { client } = useServer();
  const place = useSearchPlace();
  const { data, error, refetch } = useQuery({
    queryKey: ["documents", agent],
    queryFn: () => client.documents(agent),
    enabled: agentFile !== null,
  });
  if (agentFile === null) return <NoDocuments file={null} />;
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the indexes" height="16rem" />;
  const { documents } = data;
  if (documents.length === 0) return <NoDocuments file={agentFile} />;
  const [tool, file] = [place.get("tool"), place.get("file")];
  return (
    <>
      <DocumentIndexes agent={agent} agentFile={agentFile} documents={documents} onUpdated={() => void refetch()} />
      <DocumentSearch agent={agent} agentFile={agentFile} />
      {tool !== undefined && file !== undefined && (
        <DocumentFile agent={agent} agentFile={agentFile} tool={tool} file={file} passage={place.get("open") ?? null} />
      )}
    </>
  );
}
