import type { RunReplay } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useServer } from "../connection/server.tsx";
import { Problem } from "../parts/states.tsx";
import { formatJson } from "../text/format-json.ts";

/** The maximum number of characters of an input to show. */
const shown = 200_000;

/** The whole input of the model, as it was sent. */
export function ModelInputs({ replay: { inputs, at } }: { replay: RunReplay }) {
  const newest = inputs.findLast(({ seq }) => seq <= at);
  const [isOpen, setOpen] = useState(false);
  if (newest === undefined) return null;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What the model was told: instructions, tools and messages</summary>
      {isOpen && <ModelInput artifact={newest.artifact} />}
    </details>
  );
}

function ModelInput({ artifact }: { artifact: string }) {
  const { client } = useServer();
  const { data, error } = useQuery({
    queryKey: ["artifact", artifact],
    queryFn: () => client.artifact(artifact),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <p className="muted">Reading …</p>;
  const text = formatJson(data);
  return (
    <>
      <pre className="model-input">{showHiddenInDocument(text.slice(0, shown))}</pre>
      {text.length > shown && <p className="muted">The bundle of the run has the rest.</p>}
    </>
  );
}
