import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

const script = `
rehearsal: 1
turns: [{ steps: [{ say: Hello to you. }] }]
`;

/** Stands for the program that opens an address. Records its arguments and its environment. */
const opener = `#!/bin/sh
printf '%s\\n' "$*" > "$HOME/opened-words"
env > "$HOME/opened-environment"
cp "\${1#file://}" "$HOME/opened-page"
mv "$HOME/opened-page" "$HOME/opened"
`;

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "bridle.yaml"), "llm: { provider: { backend: anthropic } }\n");
  await writeFile(join(place.project, "script.yaml"), script);
});
afterEach(() => place.remove());

async function setOpener(text: string): Promise<void> {
  const [bin = ""] = (place.environment.PATH ?? "").split(delimiter);
  await writeFile(join(bin, "xdg-open"), text);
  await chmod(join(bin, "xdg-open"), 0o755);
}

const web = (...words: string[]) =>
  startCommand(["web", "--rehearse", "script.yaml", "--port", "0", ...words], place, { ANTHROPIC_API_KEY: "mine" });

async function untilRead(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (text !== "") return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.skipIf(process.platform !== "linux")("bridle web (where xdg-open opens addresses)", () => {
  test("the browser gets the link in a private file, and neither the token in its words nor keys in its environment", async () => {
    await setOpener(opener);
    const command = web();
    await command.shows("Page: http");
    const link = /^Page: (http:\/\/127\.0\.0\.1:\d+\/#token=(bridle_\S+))$/m.exec(command.stdout());
    const opened = await untilRead(join(place.home, "opened"));
    expect(opened).toContain(`content="0; url=${link?.[1]}"`);
    const words = await readFile(join(place.home, "opened-words"), "utf8");
    expect(words).toMatch(/^file:\/\/\S+open-page\.html\n$/);
    const environment = await readFile(join(place.home, "opened-environment"), "utf8");
    expect(environment).toContain(`HOME=${place.home}`);
    expect(words + environment).not.toContain(link?.[2]);
    expect(environment).not.toContain("mine");
    const file = words.trim().slice("file://".length);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    command.child.kill("SIGINT");
    expect(await command.ended).toBe(0);
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  test("where no browser can be opened, the server runs and says so", async () => {
    await setOpener("#!/bin/sh\nexit 3\n");
    const command = web();
    await command.shows("No browser could be opened here. Open the link of the page yourself.");
    command.child.kill("SIGINT");
    expect(await command.ended).toBe(0);
  });

  test("--no-open opens nothing, and JSON has the link", async () => {
    await setOpener(opener);
    const command = web("--no-open", "--json");
    await command.shows("}\n");
    const { url, token, link } = JSON.parse(command.stdout());
    expect(link).toBe(`${url}/#token=${token}`);
    expect((await fetch(url)).status).toBe(200);
    command.child.kill("SIGINT");
    expect(await command.ended).toBe(0);
    await expect(stat(join(place.home, "opened-words"))).rejects.toThrow("ENOENT");
  });
});
