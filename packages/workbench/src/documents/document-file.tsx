import type { ApiDocumentChunks } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths, withSearch } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Loading, NotFound } from "../parts/states.tsx";
import { useInSight } from "../parts/use-in-sight.ts";
import { indexCommand } from "./index-command.ts";
import { describePlace, findPassage } from "./passage-place.ts";

interface DocumentFileProps {
  readonly agent: string;
  /** The agent file. */
  readonly agentFile: string;
  readonly tool: string;
  readonly file: string;
  /** The key of the passage to show, from the URL. */
  readonly passage: string | null;
}

/** The indexed content of a file, with the passage that was found. */
export function DocumentFile({ agent, agentFile, tool, file, passage }: DocumentFileProps) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["documents", agent, tool, file],
    queryFn: () => client.documentChunks(tool, { agent, file }),
  });
  if (error && data === undefined) {
    return (
      <NotFound
        error={error}
        retry={() => void refetch()}
        title={`The index has no file ${showHiddenInDocument(file)}.`}
        names={["file"]}
        commands={[indexCommand(agentFile)]}
      >
        <p>
          <Link to={withSearch(paths.documents, { agent })}>See the documents of this agent</Link>, or update their
          index with the command.
        </p>
      </NotFound>
    );
  }
  if (data === undefined) return <Loading what="the file" height="16rem" />;
  const chosen = findPassage(data.chunks, passage);
  return (
    <section aria-label={file} className="document-file">
      <h2>{showHiddenInDocument(file)}</h2>
      {passage !== null && chosen === undefined && (
        <p className="note">The passage of this address is not in the index any more. The file may have changed.</p>
      )}
      <ol>
        {data.chunks.map((chunk, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: passages never move
          <Passage key={`${at} ${file}`} chunk={chunk} isChosen={chunk === chosen} />
        ))}
      </ol>
    </section>
  );
}

function Passage({ chunk, isChosen }: { chunk: ApiDocumentChunks["chunks"][number]; isChosen: boolean }) {
  const row = useInSight<HTMLLIElement>(isChosen);
  return (
    <li className={isChosen ? "passage chosen" : "passage"} aria-current={isChosen} ref={row}>
      <p className="muted">{describePlace(chunk)}</p>
      <pre dir="auto">{showHiddenInDocument(chunk.text)}</pre>
    </li>
  );
}
