import { formatCount, showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useServer } from "../connection/server.tsx";
import { Problem } from "../parts/states.tsx";

interface WholeTextProps {
  readonly session: string;
  readonly omitted: readonly { readonly field: string; readonly characters: number; readonly seq: number }[];
  readonly artifact: string | undefined;
}

/** How many characters of a long text to show at once. */
const shown = 100_000;

/** Long content, which is loaded on demand. */
export function WholeText({ session, omitted, artifact }: WholeTextProps) {
  const [isWanted, setWanted] = useState(false);
  if (omitted.length === 0 && artifact === undefined) return null;
  if (isWanted) return <ReadText session={session} omitted={omitted} artifact={artifact} />;
  const characters = omitted.reduce((sum, each) => sum + each.characters, 0);
  return (
    <button type="button" onClick={() => setWanted(true)}>
      {characters > 0 ? `Show all ${formatCount(characters)} characters` : "Show the whole result"}
    </button>
  );
}

function ReadText({ session, omitted, artifact }: WholeTextProps) {
  const { client } = useServer();
  const { data, error } = useQuery({
    queryKey: ["whole", session, artifact, omitted],
    queryFn: async () => {
      const seqs = [...new Set(omitted.map(({ seq }) => seq))];
      const pages = await Promise.all(seqs.map((seq) => client.events(session, { after: seq - 1, limit: 1 })));
      const events = pages.map((page) => JSON.stringify(page.events[0], null, 2));
      return [...events, ...(artifact === undefined ? [] : [await client.artifact(artifact)])].join("\n");
    },
  });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <p className="muted">Reading …</p>;
  return (
    <>
      <pre>{showHiddenInDocument(data.slice(0, shown))}</pre>
      {data.length > shown && (
        <p className="muted">
          And {formatCount(data.length - shown)} more characters. The bundle of the run has them all.
        </p>
      )}
    </>
  );
}
