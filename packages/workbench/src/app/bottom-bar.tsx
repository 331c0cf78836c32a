import { useState } from "react";
import { Link, useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SessionList } from "./session-list.tsx";

const more = [
  [paths.rules, "Rules"],
  [paths.documents, "Documents"],
  [paths.context, "Data context"],
  [paths.status, "Status"],
] as const;

const isMore = (location: string) => more.some(([to]) => location === to);

/** The navigation of narrow screens. */
export function BottomBar({ questions }: { questions: number }) {
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const here = (isHere: boolean) => (isHere ? "page" : undefined);
  return (
    <nav className="bottom-bar" aria-label="Pages">
      <Link to={paths.home} aria-current={here(location === "/" || location.startsWith("/s/"))}>
        Talk
      </Link>
      <Link to={paths.inbox} aria-current={here(location === paths.inbox)}>
        Inbox {questions > 0 && <span className="count">{questions}</span>}
      </Link>
      <Link to={paths.tests} aria-current={here(location.startsWith(paths.tests))}>
        Tests
      </Link>
      <button type="button" aria-current={here(isMore(location))} onClick={() => setOpen(true)}>
        More
      </button>
      {isOpen && (
        <Dialog label="More pages" className="sheet" onClose={() => setOpen(false)}>
          {more.map(([to, title]) => (
            <Link key={to} to={to} className="sheet-link" onClick={() => setOpen(false)}>
              {title}
            </Link>
          ))}
          <SessionList rowHeight={44} onGo={() => setOpen(false)} />
        </Dialog>
      )}
    </nav>
  );
}
