import { useId, useState } from "react";
import { Copyable } from "../parts/copyable.tsx";

interface AccessFormProps {
  readonly reason: "missing" | "refused";
  onEnter(pasted: string): void;
}

/** The form that is shown if there is no token, or only that of an earlier start of the server. */
export function AccessForm({ reason, onEnter }: AccessFormProps) {
  const [pasted, setPasted] = useState("");
  const id = useId();
  return (
    <main className="access">
      <h1>Bridle</h1>
      <p>
        {reason === "missing"
          ? "This page needs the token of its server."
          : "The server does not know the token of this tab. It may have been started again since."}
      </p>
      <p>
        Open the link that <code>bridle web</code> or <code>bridle serve</code> printed where it runs, or paste it here.
        If it was started with <code>--token-file</code>, the token is in that file. On the server of a team, ask who
        runs it.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (pasted.trim() !== "") onEnter(pasted);
        }}
      >
        <label htmlFor={id}>Link or token</label>
        <input
          id={id}
          type="password"
          autoComplete="off"
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
        />
        <button type="submit" className="primary">
          Open
        </button>
      </form>
      <p className="muted">
        The server is on this machine, and its link is lost? End it, and start it again:{" "}
        <Copyable text="npx bridle web" label="command">
          <code>npx bridle web</code>
        </Copyable>
      </p>
    </main>
  );
}
