import { type ComponentType, useEffect } from "react";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { Loading } from "../parts/states.tsx";
import { isOutdated, loadDelay, type PageModule } from "./page-module.ts";

interface LaterPageProps<Props> {
  readonly module: PageModule<ComponentType<Props>>;
  readonly props: Props;
}

/**
 * A page that is loaded on first use. If the server is unreachable at that time, a message is shown, and the page is loaded when the server
 * is back.
 */
export function LaterPage<Props extends object>({ module, props }: LaterPageProps<Props>) {
  const state = useSignal(module.state);
  const isOpen = useSignal(useServer().live.state).kind === "open";
  useEffect(() => {
    const timer = setTimeout(() => void module.load(isOpen), loadDelay(state, isOpen));
    return () => clearTimeout(timer);
  }, [module, state, isOpen]);
  if (state.kind === "ready") return <state.page {...props} />;
  if (state.kind === "loading") return <Loading what="the page" height="100%" />;
  return <PageMissing isOutdated={isOutdated(state)} />;
}

function PageMissing({ isOutdated: isOld }: { isOutdated: boolean }) {
  return (
    <div className="problem" role="status">
      <p>
        {isOld
          ? "The server has no such page any more. It is probably another version of Bridle than when this tab was opened."
          : "The server does not answer, so this page could not be loaded. It opens by itself when the server is back."}
      </p>
      {isOld ? (
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      ) : (
        <p className="muted">
          Start it again with <code>npx bridle web</code>. What you wrote is kept.
        </p>
      )}
    </div>
  );
}
