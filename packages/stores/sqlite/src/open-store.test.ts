import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testEventLog } from "@bridle/conformance";
import { onTestFinished } from "vitest";
import { openStore } from "./open-store.ts";

testEventLog("the event log on disk", {
  open(options) {
    const folder = mkdtempSync(join(tmpdir(), "bridle-store-"));
    const store = openStore({ ...options, folder: join(folder, ".bridle") });
    onTestFinished(() => {
      store.close();
      rmSync(folder, { recursive: true });
    });
    return store;
  },
});
