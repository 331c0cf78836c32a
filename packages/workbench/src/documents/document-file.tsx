import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { describePlace } from "./passage-place.ts";

interface DocumentFileProps {
  readonly agent: string;
  readonly tool: string;
  readonly file: string;
  /** The passage to show. */
  readonly text: string | null;
}

/** A file as the index has it, with the passage that was found. */
export function DocumentFile({ agent, tool, file, text }: DocumentFileProps) {
  const { client } = useServer();
  const { data, error } = useQuery({
    queryKey: ["documents", agent, tool, file],
    queryFn: () => client.documentChunks(tool, { agent, file }),
  });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Loading what="the file" height="16rem" />;
  return (
    <section aria-label={file} className="document-file">
      <h2>{showHiddenInDocument(file)}</h2>
      <ol>
        {data.chunks.map((chunk, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: passages never move
            key={at}
            className={chunk.text === text ? "passage chosen" : "passage"}
            aria-current={chunk.text === text}
            ref={(row) => {
              if (chunk.text === text) row?.scrollIntoView({ block: "nearest" });
            }}
          >
            <p className="muted">{describePlace(chunk)}</p>
            <pre dir="auto">{showHiddenInDocument(chunk.text)}</pre>
          </li>
        ))}
      </ol>
    </section>
  );
}
