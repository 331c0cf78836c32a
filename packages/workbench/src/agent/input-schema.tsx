import { showHiddenInDocument } from "@bridle/protocol/text";
import { useState } from "react";
import { Copyable } from "../parts/copyable.tsx";
import { describeInput, schemaFields } from "./schema-fields.ts";

/** The input of a tool, folded: its fields for the user, and the schema that the model gets. */
export function InputSchema({ schema }: { schema: Readonly<Record<string, unknown>> | null }) {
  const [isOpen, setOpen] = useState(false);
  if (schema === null) return <p className="muted">Its input is known once the tool is opened.</p>;
  const fields = schemaFields(schema);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Input: {describeInput(schema)}</summary>
      {isOpen && (
        <>
          <dl className="schema-fields">
            {fields.map(({ name, type, isRequired, description }) => (
              <div key={name}>
                <dt className="id">{showHiddenInDocument(name)}</dt>
                <dd>
                  <code>{showHiddenInDocument(type)}</code> {!isRequired && <span className="muted">optional</span>}{" "}
                  <bdi>{showHiddenInDocument(description)}</bdi>
                </dd>
              </div>
            ))}
          </dl>
          <details>
            <summary>As the model gets it</summary>
            <Copyable text={JSON.stringify(schema, null, 2)} label="schema">
              <pre>{showHiddenInDocument(JSON.stringify(schema, null, 2))}</pre>
            </Copyable>
          </details>
        </>
      )}
    </details>
  );
}
