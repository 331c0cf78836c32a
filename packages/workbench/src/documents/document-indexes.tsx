import type { ApiDocuments } from "@bridle/client";
import { showHidden } from "@bridle/protocol/text";
import { useMutation } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { IndexCard } from "./index-card.tsx";
import { indexCommand } from "./index-command.ts";

interface DocumentIndexesProps extends ApiDocuments {
  readonly agent: string;
  readonly agentFile: string;
  onUpdated(): void;
}

/** The indexes of an agent's documents, compared with the current files. */
export function DocumentIndexes({ agent, agentFile, documents, onUpdated }: DocumentIndexesProps) {
  const { client } = useServer();
  const update = useMutation({ mutationFn: () => client.indexDocuments({ agent }), onSuccess: onUpdated });
  const command = indexCommand(agentFile);
  return (
    <section aria-label="Indexes" className="document-indexes">
      <ul className="cards">
        {documents.map((each) => (
          <IndexCard key={each.tool} documents={each} />
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
