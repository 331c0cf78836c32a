import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { Announcements } from "../announcing/announcer.tsx";
import type { LiveState } from "../connection/live-messages.ts";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { BegunSequence } from "../keys/begun-sequence.tsx";
import { useCommands } from "../keys/keyboard.tsx";
import { AccessForm } from "./access-form.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Rail } from "./rail.tsx";
import { useToldQuestions } from "./use-told-questions.ts";

/** The frame around every page. */
export function Shell({ children, onToken }: { children: ReactNode; onToken(pasted: string): void }) {
  const { live } = useServer();
  const state = useSignal(live.state);
  const questions = useToldQuestions();
  const [location] = useLocation();
  useGoCommands();
  useFreshViews(state.kind);
  if (state.kind === "forbidden") return <AccessForm reason="refused" onEnter={onToken} />;
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Rail questions={questions} />
      <div className="shell-main">
        <ConnectionBanner state={state} />
        <Announcements />
        <main id="main" tabIndex={-1}>
          <ErrorBoundary key={location}>{children}</ErrorBoundary>
        </main>
      </div>
      <BottomBar questions={questions} />
      <BegunSequence />
    </div>
  );
}

/** Reloads all views when the server is reachable again. */
function useFreshViews(kind: LiveState["kind"]): void {
  const cache = useQueryClient();
  const wasGone = useRef(false);
  useEffect(() => {
    if (kind === "gone") wasGone.current = true;
    if (kind !== "open" || !wasGone.current) return;
    wasGone.current = false;
    void cache.invalidateQueries();
  }, [kind, cache]);
}

function useGoCommands(): void {
  const [, go] = useLocation();
  useCommands([
    { id: "go-home", title: "Go home: agents and sessions", keys: "g h", run: () => go(paths.home) },
    { id: "go-inbox", title: "Go to the inbox", keys: "g i", run: () => go(paths.inbox) },
    { id: "go-tests", title: "Go to the tests", keys: "g t", run: () => go(paths.tests) },
    { id: "go-rules", title: "Go to the rules", keys: "g r", run: () => go(paths.rules) },
    { id: "go-documents", title: "Go to the documents", keys: "g d", run: () => go(paths.documents) },
    { id: "go-context", title: "Go to the data context", keys: "g c", run: () => go(paths.context) },
    { id: "go-status", title: "Go to the status", keys: "g s", run: () => go(paths.status) },
  ]);
}
