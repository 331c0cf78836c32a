import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { createPlace, type Place, startCommand } from "../../../cli/tests/support/command.ts";
import { browserPath } from "../../../testing/tests/browser.ts";

export interface ServedPage {
  readonly place: Place;
  readonly browser: Browser;
  /** The address without a slash at its end. */
  readonly url: string;
  /** The address with the token. */
  readonly link: string;
  /** Stops the server, and resolves with a function that starts it again with the same token at the same address. */
  stop(signal?: NodeJS.Signals): Promise<() => Promise<void>>;
  /** Opens a new browser window with the link, at this path. */
  open(path?: string): Promise<Page>;
  close(): Promise<void>;
}

/** Serves a page as a user does: runs `bridle web` for a project with a scripted model, with a real browser. */
export async function servePage(
  files: Readonly<Record<string, string>>,
  prepare: (place: Place) => Promise<void> = async () => {},
): Promise<ServedPage> {
  const place = await createPlace();
  for (const [name, text] of Object.entries(files)) await writeFile(join(place.project, name), text);
  await prepare(place);
  const words = ["web", "--no-open", "--json", "--grace", "0", "--rehearse", "script.yaml", "--token-file", "token"];
  const start = async (port: string) => {
    const started = startCommand([...words, "--port", port], place);
    await started.shows("}\n");
    return started;
  };
  let command = await start("0");
  const { url, link } = JSON.parse(command.stdout());
  const browser = await launch(place);
  const end = async (signal: NodeJS.Signals = "SIGINT") => {
    command.child.kill(signal);
    await command.ended;
  };
  return {
    place,
    browser,
    url,
    link,
    async stop(signal) {
      await end(signal);
      return async () => {
        command = await start(new URL(url).port);
      };
    },
    async open(path = "/") {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
      const page = await context.newPage();
      await page.goto(`${url}${path}${new URL(link).hash}`);
      return page;
    },
    async close() {
      await browser.close();
      await end();
      await place.remove();
    },
  };
}

async function launch({ home }: Place): Promise<Browser> {
  const chosen = browserPath === undefined ? {} : { executablePath: browserPath };
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
  return chromium.launch({ ...chosen, args: ["--no-sandbox"], env });
}
