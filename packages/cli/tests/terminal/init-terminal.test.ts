/** Tests the questions of `bridle init`, in a real terminal. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, type Place } from "../support/command.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

/** The time limit of a test, because each starts many processes. */
let place: Place;
beforeEach(async () => {
  place = await createPlace();
});
afterEach(() => place.remove());

const open = (words: readonly string[], extra: Record<string, string> = {}, columns = 80) =>
  openTerminal(["init", ...words], {
    cwd: place.project,
    columns,
    rows: 40,
    environment: { ...place.environment, PATH: process.env.PATH ?? "", ...extra },
  });

describe.skipIf(!hasTmux)("bridle init on a terminal (needs tmux)", () => {
  test("asks for folder, template, name, host and model, lists the detected hosts first, and creates the project", async () => {
    const terminal = open([], { OPENAI_API_KEY: "sk-planted" });
    await terminal.shows("Which folder?");
    terminal.key("Enter");
    await terminal.shows("Which agent?");
    terminal.key("Down", "Enter");
    await terminal.shows("What is the name of the agent?");
    terminal.type(" two");
    const asked = await terminal.shows("Which provider runs the model?");
    expect(asked).toContain("Claude Code login: none.");
    expect(asked).toContain("OPENAI_API_KEY is set");
    expect(asked).toMatch(/● openai: OpenAI's API/);
    terminal.key("Enter");
    await terminal.shows("Which model? An alias or a full id");
    terminal.type("x");
    const shown = await terminal.shows("Ended with 0.");
    const unwrapped = shown.replaceAll(/\s+/g, "");
    expect(unwrapped).toMatch(/cddesk&&node\S+bridle\.jschat--rehearserehearsal\.yaml/);
    expect(unwrapped).toContain("bridle.jstest--rehearserehearsal.yaml");
    expect(shown).not.toContain("sk-planted");
    expect(await readFile(join(place.project, "desk/bridle.yaml"), "utf8")).toContain("backend: openai\n");
    expect(await readFile(join(place.project, "desk/agent.yaml"), "utf8")).toContain('name: "order-desk two"\n');
  });

  test("refuses an invalid folder name at once, and lets the user correct it", async () => {
    const terminal = open(["--template", "support", "--provider", "anthropic", "--name", "till"]);
    await terminal.shows("Which folder?");
    terminal.key("BSpace", "BSpace", "BSpace", "BSpace");
    terminal.type("CON");
    await terminal.shows('"CON" is the name of a device on Windows');
    terminal.key("BSpace", "BSpace", "BSpace");
    terminal.type("till");
    await terminal.shows("Ended with 0.");
    expect(await readdir(place.project)).toEqual(["till"]);
  });

  test.each([
    ["Ctrl-C", (terminal: ReturnType<typeof open>) => terminal.key("C-c")],
    ["a signal", (terminal: ReturnType<typeof open>) => process.kill(terminal.pid(), "SIGTERM")],
  ])("%s at a question leaves no files, and restores the terminal", async (_name, leave) => {
    const terminal = open(["desk"]);
    await terminal.shows("Which agent?");
    leave(terminal);
    const shown = await terminal.shows(/Ended with (130|143)\./);
    expect(shown).toContain("Nothing was created");
    expect(await terminal.shows("icanon")).not.toContain("-icanon");
    expect(await readdir(place.project)).toEqual([]);
  });

  test("wraps lines between words on a narrow terminal", async () => {
    const terminal = open(["desk", "--yes"], { NO_COLOR: "1" }, 50);
    const shown = await terminal.shows("Ended with 0.", { history: true });
    expect(shown).toMatch(/ {2}Claude Code login: none\. To set it up: run\n {2}"claude" once and log in/);
  });
});
