/** Notifications of the browser for questions, without a word of their content: they are shown on locked screens too. */
const key = "bridle.notify";

/** Whether this browser has shown that pages cannot make notifications. */
let isImpossible = false;

export type NotificationState = "unsupported" | "refused" | "off" | "on";

/** Reads whether notifications are possible here, and whether the user has enabled them. */
export function readNotifications(): NotificationState {
  if (typeof Notification === "undefined" || !isSecureContext || isImpossible) return "unsupported";
  if (Notification.permission === "denied") return "refused";
  return Notification.permission === "granted" && isWanted() ? "on" : "off";
}

/** Asks the person, which browsers allow after a click only. */
export async function wantNotifications(wanted: boolean): Promise<NotificationState> {
  try {
    if (wanted) await Notification.requestPermission();
    localStorage.setItem(key, wanted ? "yes" : "no");
  } catch {
    // this browser forbids storage: nothing is notified
  }
  return readNotifications();
}

/** Shows a notification that a question is waiting, if the user is looking at something else. All tabs together show it once. */
export function notifyOfQuestion(open: () => void): void {
  if (document.hasFocus() || readNotifications() !== "on") return;
  try {
    showNotification(open);
  } catch {
    isImpossible = true; // Chrome on Android has the permission and the constructor, which throws outside of service workers
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
