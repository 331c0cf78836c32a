import { BridleRequestError } from "@bridle/client";
import { type ReactNode, useEffect, useState } from "react";
import { Copyable } from "./copyable.tsx";

/** What takes a moment. It says so in words after a second, and keeps the height that the content will have. */
export function Loading({ what, height = "8rem" }: { what: string; height?: string }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 1000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" style={{ minHeight: height }} aria-busy="true">
      <span role="status">{isSlow && `Reading ${what} …`}</span>
    </div>
  );
}

/** A view without content, which says what to do next. */
export function Empty({
  title,
  children,
  commands = [],
}: {
  title: string;
  children?: ReactNode;
  commands?: readonly string[];
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
      {commands.map((command) => (
        <Copyable key={command} text={command} label="command">
          <code>{command}</code>
        </Copyable>
      ))}
    </div>
  );
}

/** What lists those that there are, if there is none of a name. */
const listings: Readonly<Record<string, string>> = {
  "no-such-session": "npx bridle sessions list",
  "no-such-run": "npx bridle sessions list",
  "no-such-test-run": "npx bridle test history",
};

/** What went wrong, as the server says it: reason, subject and remedy. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const isRefusal = error instanceof BridleRequestError;
  const listing = isRefusal ? listings[error.code] : undefined;
  const text = isRefusal ? error.message : "The server does not answer. Start it again with npx bridle serve.";
  return (
    <div className="problem" role="alert">
      <p>{text}</p>
      {isRefusal && <p className="muted">{error.code}</p>}
      {listing !== undefined && (
        <Copyable text={listing} label="command">
          <code>{listing}</code>
        </Copyable>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
