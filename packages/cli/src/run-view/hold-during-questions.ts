import type { RunEvent } from "@bridle/protocol";

/** Holds back events between a question and its answer, because the terminal shows the question. */
export function holdDuringQuestions(show: (event: RunEvent) => void): (event: RunEvent) => void {
  const open = new Set<string>();
  let held: RunEvent[] = [];

  return (event) => {
    const isHeld = open.size > 0;
    if (event.type === "approval.requested") open.add(event.approvalId);
    if (event.type === "approval.decided") open.delete(event.approvalId);
    if (isHeld) held.push(event);
    else show(event);
    if (open.size > 0) return;
    for (const each of held) show(each);
    held = [];
  };
}
