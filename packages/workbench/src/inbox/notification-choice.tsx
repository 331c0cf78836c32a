import { useState } from "react";
import { useCommands } from "../keys/keyboard.tsx";
import { readNotifications, wantNotifications } from "../questions/notifications.ts";

/** Lets the user enable notifications about questions that arrive while the page is not in focus. */
export function NotificationChoice() {
  const [state, setState] = useState(readNotifications);
  const isOn = state === "on";
  const change = async () => setState(await wantNotifications(!isOn));
  useCommands(
    state === "unsupported" || state === "refused"
      ? []
      : [{ id: "notify", title: isOn ? "Notify me no longer" : "Notify me of questions", run: () => void change() }],
  );
  if (state === "unsupported") return null;
  if (state === "refused") return <p className="muted">This browser refuses notifications of this page.</p>;
  return (
    <p className="notification-choice">
      <button type="button" aria-pressed={isOn} onClick={() => void change()}>
        {isOn ? "Notify me no longer" : "Notify me of questions"}
      </button>
      <span className="muted">
        {isOn ? "You are told that a question waits, but not its text." : "While you look at another window."}
      </span>
    </p>
  );
}
