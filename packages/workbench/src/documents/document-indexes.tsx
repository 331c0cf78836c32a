import { shellWord, showHidden } from "@bridle/protocol/text";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { IndexCard } from "./index-card.tsx";

/** The indexes of an agent's documents, compared with the files as they are now. */
export function DocumentIndexes({ agent, file }: { agent: string; file: string }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["documents", agent],
    queryFn: () => client.documents(agent),
  });
  const update = useMutation({ mutationFn: () => client.indexDocuments({ agent }), onSuccess: () => void refetch() });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the indexes" />;
  const command =
    file === "agent.yaml" ? "npx bridle documents index" : `npx bridle documents index ${shellWord(file)}`;
  return (
    <section aria-label="Indexes" className="document-indexes">
      <ul className="cards">
        {data.documents.map((documents) => (
          <IndexCard key={documents.tool} documents={documents} />
        ))}
      </ul>
      <div className="actions">
        <button type="button" disabled={update.isPending} onClick={() => update.mutate()}>
          {update.isPending ? "Updating …" : "Update the index"}
        </button>
        <Copyable text={command} label="command">
          <code>{showHidden(command, "")}</code>
        </Copyable>
        {update.error && <span role="alert">{update.error.message}</span>}
      </div>
    </section>
  );
}
