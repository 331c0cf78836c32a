import { BridleRequestError } from "@bridle/client";
import { type ReactNode, useEffect, useState } from "react";
import { Copyable } from "./copyable.tsx";
import { isMissing } from "./is-missing.ts";

/** A placeholder while content is loaded. It shows a text after one second, and reserves the height of the content. */
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

/** An empty view with a hint about the next step. */
export function Empty({
  title,
  children,
  commands = [],
  isPage = false,
}: {
  title: string;
  children?: ReactNode;
  commands?: readonly string[];
  /** Whether the view replaces a whole page. Its title is then the title of the page. */
  isPage?: boolean;
}) {
  return (
    <div className="empty">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
      {commands.map((command) => (
        <Copyable key={command} text={command} label="command">
          <code>{command}</code>
        </Copyable>
      ))}
    </div>
  );
}

interface NotFoundProps {
  readonly error: unknown;
  /** Names the missing resource. */
  readonly title: string;
  /** The request parameters that identify the resource, in addition to its path. */
  readonly names?: readonly string[];
  readonly commands?: readonly string[];
  readonly children?: ReactNode;
  /** Whether the view replaces a whole page. */
  readonly isPage?: boolean;
  retry(): void;
}

/** The view for a resource that does not exist, with links to other places. Other errors are shown unchanged. */
export function NotFound({ error, title, names, commands = [], children, isPage = false, retry }: NotFoundProps) {
  if (!isMissing(error, names)) return <Problem error={error} retry={retry} />;
  return (
    <Empty title={title} commands={commands} isPage={isPage}>
      {children}
    </Empty>
  );
}

/** An error with the server's message: reason, subject and remedy. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const isRefusal = error instanceof BridleRequestError;
  const text = isRefusal ? error.message : "The server does not answer. Start it again with npx bridle serve.";
  return (
    <div className="problem" role="alert">
      <p>{text}</p>
      {isRefusal && (
        <p className="muted">
          Code of the error: <span className="id">{error.code}</span>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
