import type { ApiMetrics } from "@bridle/client";
import { shellWord, showHidden } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useServer } from "../../connection/server.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Loading, Problem } from "../../parts/states.tsx";
import type { ContextPlace } from "../data/use-place.ts";

interface CompiledMetricProps {
  readonly model: ApiMetrics["models"][number];
  readonly place: ContextPlace;
}

/** The SQL statement of the chosen measure. It is shown, not executed. */
export function CompiledMetric({ model: { measures, dimensions }, place }: CompiledMetricProps) {
  const id = useId();
  const chosen = place.get("measure");
  const measure = measures.find(({ name }) => name === chosen) ?? measures[0];
  const by = dimensions.find(({ name }) => name === place.get("by"))?.name;
  if (measure === undefined) return null;
  return (
    <section aria-label="Statement" className="compiled">
      <h3>What {showHidden(measure.name, "")} is compiled to</h3>
      <div className="actions">
        <label htmlFor={id}>by</label>
        <select id={id} value={by ?? ""} onChange={({ target }) => place.set({ by: target.value })}>
          <option value="">nothing: one number</option>
          {dimensions.map(({ name }) => (
            <option key={name} value={name}>
              {showHidden(name, "")}
            </option>
          ))}
        </select>
      </div>
      <Statement measure={measure.name} by={by} />
    </section>
  );
}

function Statement({ measure, by }: { measure: string; by: string | undefined }) {
  const { client } = useServer();
  const { data, error } = useQuery({
    queryKey: ["data-context", "plan", measure, by],
    queryFn: () => client.planMetrics([measure], by === undefined ? [] : [by]),
    retry: false,
  });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Loading what="the statement" height="12rem" />;
  const words = [measure, ...(by === undefined ? [] : ["--by", by])];
  const command = ["npx bridle query", ...words.map(shellWord)].join(" ");
  return (
    <>
      <pre className="sql">{showHidden(data.sql)}</pre>
      <ul className="context-entries">
        {[...data.explanation, ...data.assumptions].map((sentence) => (
          <li key={sentence}>{showHidden(sentence)}</li>
        ))}
      </ul>
      <p>
        To run it:{" "}
        <Copyable text={command} label="command">
          <code>{showHidden(command, "")}</code>
        </Copyable>
      </p>
    </>
  );
}
