import type { ApiDocuments } from "@bridle/client";
import { counted } from "@bridle/protocol/text";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Mark } from "../parts/mark.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";

/** The indexes of an agent's documents, as they were updated last. */
export function DocumentIndexes({ agent }: { agent: string }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["documents", agent],
    queryFn: () => client.documents(agent),
  });
  const update = useMutation({ mutationFn: () => client.indexDocuments({ agent }), onSuccess: () => void refetch() });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the indexes" />;
  if (data.documents.length === 0) {
    return (
      <Empty title="This agent searches no documents.">
        <p>List a folder under tools in its file, as documents.</p>
      </Empty>
    );
  }
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
        {update.error && <span role="alert">{update.error.message}</span>}
      </div>
    </section>
  );
}

function IndexCard({ documents: { tool, location, mode, index } }: { documents: ApiDocuments["documents"][number] }) {
  const lists = [
    ["failed", index?.failed ?? []],
    ["skipped", index?.skipped ?? []],
    ["warning", index?.warnings ?? []],
  ] as const;
  return (
    <li className="card">
      <h2>{tool}</h2>
      <p>
        <code>{location}</code>, {mode}
      </p>
      <p>
        <Mark kind={index === null ? "warn" : "ok"} label={index === null ? "no index" : "indexed"} />{" "}
        {index === null
          ? "There is no index yet. Update it below."
          : `${counted(index.files, "file")}, ${counted(index.chunks, "passage")}`}
        {index?.vectors && `, vectors of ${index.vectors.model}`}
      </p>
      {lists.flatMap(([what, files]) =>
        files.map(({ file, problem }) => (
          <p key={`${what} ${file} ${problem}`} className="muted">
            {file}, {what}: {problem}
          </p>
        )),
      )}
    </li>
  );
}
