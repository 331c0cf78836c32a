import { afterEach, beforeEach, expect, test, vi } from "vitest";

const shown: string[] = [];
let hasFocus = false;

class FakeNotification {
  static readonly permission = "granted";

  constructor(title: string) {
    shown.push(title);
  }
}

/** Behaves like Chrome on Android. */
class ThrowingNotification {
  static readonly permission = "granted";

  constructor() {
    throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
  }
}

beforeEach(() => {
  shown.length = 0;
  hasFocus = false;
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("localStorage", { getItem: () => "yes" });
  vi.stubGlobal("document", { hidden: false, hasFocus: () => hasFocus });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("a question is notified while the person looks at another window, even if the page is in sight", async () => {
  vi.stubGlobal("Notification", FakeNotification);
  const { notifyOfQuestion } = await import("./notifications.ts");
  hasFocus = true;
  notifyOfQuestion(() => {});
  expect(shown).toEqual([]);
  hasFocus = false;
  notifyOfQuestion(() => {});
  expect(shown).toEqual(["Bridle"]);
});

test("a browser whose pages cannot make notifications has none, and the page stays whole", async () => {
  vi.stubGlobal("Notification", ThrowingNotification);
  const { notifyOfQuestion, readNotifications } = await import("./notifications.ts");
  expect(readNotifications()).toBe("on");
  notifyOfQuestion(() => {});
  expect(readNotifications()).toBe("unsupported");
});
