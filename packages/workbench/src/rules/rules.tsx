import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { Permissions } from "./permissions.tsx";
import { RulesEditor } from "./rules-editor.tsx";
import { RulesOfAgents } from "./rules-of-agents.tsx";
import { RulesOrder } from "./rules-order.tsx";
import "./rules.css";

/** The permissions of the project's agents: the rules in order of precedence, and the remembered answers. */
export function Rules() {
  const { client } = useServer();
  const [isEditing, setEditing] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const { data, error, refetch } = useQuery({ queryKey: ["rules"], queryFn: () => client.rules() });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the rules" height="24rem" />;
  return (
    <div className="page rules-page">
      <h1>Rules</h1>
      <p className="muted">
        {data.file === null && "The project has no bridle.yaml yet. Saving rules writes it."}
        {data.file !== null && data.order.length > 0 && `From policy in ${data.file}. The first that fits decides.`}
      </p>
      {!data.isInEffect && (
        <p className="note" role="status">
          These rules take effect when the server starts again: they were written outside of this page, or let calls run
          without a question that needed one.
        </p>
      )}
      {data.warnings.map((warning) => (
        <p className="note" key={warning}>
          {warning}
        </p>
      ))}
      <p role="status">{isSaved && data.isInEffect && "Saved. Runs that begin from now on follow these rules."}</p>
      {isEditing ? (
        <RulesEditor
          current={data}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            setSaved(true);
            void refetch();
          }}
        />
      ) : (
        <>
          {data.order.length === 0 && (
            <p>
              {data.file ?? "The project"} has no rules, so every tool may be called that an agent has and that its own
              rules allow.
            </p>
          )}
          <div>
            <button
              type="button"
              onClick={() => {
                setEditing(true);
                setSaved(false);
              }}
            >
              Change the rules
            </button>
          </div>
          {data.order.length > 0 && <RulesOrder order={data.order} />}
        </>
      )}
      <RulesOfAgents />
      <Permissions />
    </div>
  );
}
