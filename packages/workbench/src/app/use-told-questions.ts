import { showHidden } from "@bridle/protocol/text";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useAnnouncer } from "../announcing/announcer.tsx";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { describePromises } from "../questions/describe-promises.ts";
import { notifyOfQuestion } from "../questions/notifications.ts";
import { NewQuestions } from "./new-questions.ts";
import { drawTabIcon, titleOfTab } from "./tab-badge.ts";

/** Announces open questions outside of the page content: in the tab title, to screen readers, and as a notification. */
export function useToldQuestions(): number {
  const { live } = useServer();
  const open = useSignal(live.approvals);
  const announcer = useAnnouncer();
  const [, go] = useLocation();
  const news = useRef(new NewQuestions());
  const count = open?.length ?? 0;
  useEffect(() => {
    document.title = titleOfTab(count);
    document.querySelector("link[rel=icon]")?.setAttribute("href", drawTabIcon(count));
  }, [count]);
  useEffect(() => {
    if (open === undefined) return;
    const added = news.current.next(open);
    for (const { tool, annotations } of added)
      announcer.ask(`A question: may ${showHidden(tool)} run? It ${describePromises(annotations)}.`);
    if (added.length > 0) notifyOfQuestion(() => go(paths.inbox));
  }, [open, announcer, go]);
  return count;
}
