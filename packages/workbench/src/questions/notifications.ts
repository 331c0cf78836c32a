/** Browser notifications about questions. They contain no text of the questions, because notifications are also shown on locked screens. */
const key = "bridle.notify";

/** Whether creating a notification has failed in this browser. */
let isImpossible = false;

export type NotificationState = "unsupported" | "refused" | "off" | "on";

/** Reads whether notifications are possible here, and whether the user has enabled them. */
export function readNotifications(): NotificationState {
  if (typeof Notification === "undefined" || !isSecureContext || isImpossible) return "unsupported";
  if (Notification.permission === "denied") return "refused";
  return Notification.permission === "granted" && isWanted() ? "on" : "off";
}

/** Asks the user for permission. Browsers allow this only after a click. */
export async function wantNotifications(wanted: boolean): Promise<NotificationState> {
  try {
    if (wanted) await Notification.requestPermission();
    localStorage.setItem(key, wanted ? "yes" : "no");
  } catch {
    // this browser forbids storage: notifications stay off
  }
  return readNotifications();
}

/** Shows a notification that a question is waiting, unless the user is looking at the page. The notification appears once for all tabs. */
export function notifyOfQuestion(open: () => void): void {
  if (document.hasFocus() || readNotifications() !== "on") return;
  try {
    showNotification(open);
  } catch {
    isImpossible = true; // Chrome on Android grants the permission, but the constructor throws outside of service workers
  }
}

function showNotification(open: () => void): void {
  const notification = new Notification("Bridle", { body: "A question waits for you.", tag: "bridle-question" });
  notification.onclick = () => {
    focus();
    notification.close();
    open();
  };
}

function isWanted(): boolean {
  try {
    return localStorage.getItem(key) === "yes";
  } catch {
    return false;
  }
}
