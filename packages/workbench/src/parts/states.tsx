import { BridleRequestError } from "@bridle/client";
import { type ReactNode, useEffect, useState } from "react";
import { Copyable } from "./copyable.tsx";
import { isMissing } from "./is-missing.ts";

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
  isPage = false,
}: {
  title: string;
  children?: ReactNode;
  commands?: readonly string[];
  /** Whether it is in place of a whole page, whose title is then this one. */
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
  /** What is not there. */
  readonly title: string;
  /** The parameters of the request that name it, beside its path. */
  readonly names?: readonly string[];
  readonly commands?: readonly string[];
  readonly children?: ReactNode;
  /** Whether it is in place of a whole page. */
  readonly isPage?: boolean;
  retry(): void;
}

/** A view of what the server does not have: where to go instead. Any other failure is shown as it is. */
export function NotFound({ error, title, names, commands = [], children, isPage = false, retry }: NotFoundProps) {
  if (!isMissing(error, names)) return <Problem error={error} retry={retry} />;
  return (
    <Empty title={title} commands={commands} isPage={isPage}>
      {children}
    </Empty>
  );
}

/** What went wrong, as the server says it: reason, subject and remedy. */
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
