import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { Permissions } from "./permissions.tsx";
import { RulesEditor } from "./rules-editor.tsx";
import { RulesOrder } from "./rules-order.tsx";
import "./rules.css";

/** What the agents of the project may do: the rules in the order in which they decide, and the answers that were remembered. */
export function Rules() {
  const { client } = useServer();
  const [isEditing, setEditing] = useState(false);
  const { data, error, refetch } = useQuery({ queryKey: ["rules"], queryFn: () => client.rules() });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the rules" height="24rem" />;
  return (
    <div className="page rules-page">
      <h1>Rules</h1>
      <p className="muted">
        {data.file === null
          ? "The project has no bridle.yaml, so the defaults decide."
          : `From policy in ${data.file}. The first that fits decides.`}
      </p>
      {!data.isInEffect && (
        <p className="note" role="status">
          The file was changed since the server started. These rules take effect when it starts again.
        </p>
      )}
      {isEditing ? (
        <RulesEditor
          current={data}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            void refetch();
          }}
        />
      ) : (
        <>
          {data.order.length === 0 && (
            <p>
              No rule decides: every tool that an agent has may be called. Change that here, or per agent in its file.
            </p>
          )}
          <div>
            <button type="button" onClick={() => setEditing(true)}>
              Change the rules
            </button>
          </div>
          {data.order.length > 0 && <RulesOrder order={data.order} />}
        </>
      )}
      <Permissions />
    </div>
  );
}
