import { readFile, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openChatStage, untilReadable } from "../support/chat-fixture.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const sequence = (codes: string, text = "") => new RegExp(`${"\u001b"}\\[${codes}m${text}`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const ending = (text: string) => new RegExp(`${text}\\s+─+\\s+─+`);

describe.skipIf(!hasTmux)("a chat in a real terminal (needs tmux)", () => {
  test("shows a call with its result and time, and the answer with formatted Markdown", async () => {
    const { chat, told } = await openChatStage();
    const { type, shows } = await chat();
    type("Where is my order?");
    await shows("A-1 │ shipped");
    const shown = await shows(/1,\d{3} tokens/, { history: true });
    expect(shown).toMatch(/> Where is my order\?\n\nI will look it up\.\n\n✓ lookup_order \d+ ms \{"id":"A-1"\}\n/);
    expect(shown).toContain("  Order A-1 has shipped.\n\nYour order\n\nIt has shipped, see A-1.\n");
    type("Thanks");
    await shows(ending("You are welcome."));
    expect(told()).toMatch(/Where is my order\?.*has shipped.*Thanks/);
  });

  test("says at its start that a mode of bridle.yaml skips questions, and only then", async () => {
    const { chat, project } = await openChatStage();
    const asking = await chat();
    expect(asking.screen()).not.toContain("without a question");
    const file = join(project, "bridle.yaml");
    await writeFile(file, (await readFile(file, "utf8")).replace("mode: normal", "mode: yolo"));
    const { shows } = await chat();
    await shows(/bridle\.yaml:4:17: mode yolo: every tool runs without a\s+question\./);
  });

  test("shows text while it streams", async () => {
    const { chat } = await openChatStage();
    const { type, shows, screen } = await chat();
    type("stream");
    await shows("One. Two.");
    expect(screen()).not.toContain("Six.");
    expect(screen()).toMatch(/working \d+ s · Esc stops/);
    await shows(ending("One. Two. Three. Four. Five. Six."));
  });

  test("asks with a preview, accepts single keys during a question, and sends a message with the answer", async () => {
    const { chat, project, told } = await openChatStage();
    const { type, shows, key, screen } = await chat();
    type("refund");
    await shows("? Run refund (may destroy data, outside of this machine too)?");
    await untilReadable();
    expect(screen()).toMatch(
      /│ \{"id":"A-1","euros":5\}\n│ - A-1: paid\n│ \+ A-1: refunded 5\n\? Run refund \(may destroy data, outside of this machine too\)\?\n {2}y yes, once · /,
    );
    key("w");
    await shows("Message to the model, then Enter");
    type("Only this time.");
    await shows("Message to the model: Only this time.");
    key("y");
    await shows(ending("Refunded it."));
    expect(await readFile(join(project, "effects"), "utf8")).toBe("A-1 5\n");
    expect(told()).toContain("Only this time.");
    type("y n x");
    await shows(ending("You are welcome."));
    expect(screen()).toContain("> y n x");
  });

  test("keeps text in the input line if a question appears while the user types", async () => {
    const { chat, project } = await openChatStage();
    const { type, shows, key, screen } = await chat();
    type("refund");
    for (let count = 0; count < 40 && !screen().includes("? Run"); count += 1) key("y");
    await shows("? Run refund (may destroy data, outside of this machine too)?");
    expect(screen()).not.toContain("Refunded it.");
    await untilReadable();
    key("n");
    await shows(/─\ny+\n─/);
    await expect(readFile(join(project, "effects"), "utf8")).rejects.toThrow("ENOENT");
  });

  test("shows several open questions one at a time, and accepts an edited input", async () => {
    const { chat, project } = await openChatStage();
    const { type, shows, key, screen } = await chat();
    type("both");
    await shows("question 1 of 2; Tab shows the next");
    await untilReadable();
    const [, next] = /\+ (A-1|B-2)/.exec(screen()) ?? [];
    if (next === "A-1") key("Tab");
    await shows("+ B-2: refunded 7");
    await untilReadable();
    key("e");
    await shows('"euros": 7');
    key("BSpace", "BSpace", "BSpace");
    type("8");
    await shows("This is not valid JSON: ");
    type("}");
    await shows(/│ \{"id":"A-1"[^?]*\? Run refund \(may destroy data, outside of this machine too\)\?\n {2}y /);
    await untilReadable();
    key("n");
    await shows(ending("Both done."));
    expect(await readFile(join(project, "effects"), "utf8")).toBe("B-2 8\n");
  });

  test("closes a question that another process has answered, and says so", async () => {
    const { chat, bridle } = await openChatStage();
    const { type, shows } = await chat();
    type("refund");
    await shows("? Run refund (may destroy data, outside of this machine too)?");
    const [, id = ""] = /^(approval_\w+)$/m.exec((await bridle("approvals", "list")).stdout) ?? [];
    expect(await bridle("approvals", "answer", id, "allow")).toMatchObject({ code: 0 });
    expect(await shows(ending("Refunded it."))).toContain(
      `refund: Answered elsewhere: allow, by ${userInfo().username}`,
    );
  });

  test("stops with Escape, keeps the queued prompt in the input line, and continues", async () => {
    const { chat } = await openChatStage();
    const { type, shows, key } = await chat();
    type("count");
    await shows(/count \d+ s · Esc stops/);
    await shows("counting aloud"); // the output of a tool must not disturb the screen
    type("Thanks");
    await shows("next: Thanks");
    key("Escape");
    const stopped = /✗ count .*\n.*ended.*[\s\S]*The run was stopped: Esc was pressed\./;
    expect(await shows(/Esc was pressed\.[\s\S]*─\nThanks\n─/)).toMatch(stopped);
    key("Enter");
    await shows(ending("You are welcome."));
  });

  test("continues the conversation after a kill -9 and after a fork, and can return to the original session", async () => {
    const { chat, told } = await openChatStage();
    const first = await chat();
    first.type("Where is my order?");
    await first.shows(/1,\d{3} tokens/);
    first.type("stall");
    await first.shows("One moment");
    process.kill(first.pid(), "SIGKILL");
    await first.shows("Ended with 137.");
    const { type, shows, screen } = await chat(["--continue"]);
    expect(await shows("> stall")).toContain("It has shipped");
    type("Thanks");
    await shows(ending("You are welcome."));
    expect(told()).toMatch(/Where is my order\?.*It has \*\*shipped\*\*.*stall.*Thanks/);
    const [id] = /ses_\w+$/m.exec(screen()) ?? [];
    type("/fork");
    await shows("Forked: this is ses_");
    expect(/ses_\w+$/m.exec(screen())?.[0]).not.toBe(id);
    type("And now?");
    await shows(ending("You are welcome."));
    expect(told()).toMatch(/Where is my order\?.*Thanks.*And now\?/);
    type(`/sessions ${id}`);
    await shows(`Resumed the session ${id}.`);
    type("Back again");
    await shows(/> Back again\n\nYou are welcome\./);
    expect(told()).not.toContain("And now?");
  });

  test("waits for a run of the same session in another chat, says so, and continues from that run's answer", async () => {
    const { chat, told } = await openChatStage();
    const first = await chat();
    first.type("Where is my order?");
    await first.shows(/1,\d{3} tokens/);
    const second = await chat(["--continue"]);
    first.type("count");
    await first.shows(/count \d+ s · Esc stops/);
    second.type("Thanks");
    await second.shows(`This session has a run in the process ${first.pid()}.`);
    first.key("Escape");
    await second.shows(/Thanks[\s\S]*You are welcome\./);
    expect(told()).toMatch(/Where is my order\?.*count.*Thanks/);
    first.type("And now?");
    await first.shows(ending("You are welcome."));
    expect(told()).toMatch(/count.*Thanks.*And now\?/);
  });

  test("accepts 200 pasted lines as one prompt, and a new line after a backslash", async () => {
    const { chat, told } = await openChatStage();
    const { type, shows, paste, key } = await chat();
    paste(Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join("\n"));
    await shows("[paste #1 +200 lines]");
    key("Enter");
    expect(await shows(ending("You are welcome."))).toContain("… 188 more lines");
    expect(told()).toContain("line 1\\nline 2\\n");
    expect(told()).toContain("line 199\\nline 200");
    type("first\\");
    type("second");
    await shows(/> first\n {2}second\n\nYou are welcome\./);
    key("Up");
    await shows(/─\nfirst\nsecond\n─/);
  });

  test.each([
    [60, 20],
    [40, 15],
  ])("fits %i columns and %i rows with wide characters, and adapts to a new size", async (columns, rows) => {
    const { chat } = await openChatStage();
    const { type, shows, resize, screen, key } = await chat([], { columns, rows });
    type("Where is my order?");
    await shows(/漢\n\n─+\n\n─+\n1,\d{3} tokens/);
    expect(screen().match(/漢/g)).toHaveLength(60);
    type("refund");
    await shows("? Run refund ");
    await untilReadable();
    expect(screen()).toMatch(/w message to the model(\n| ·) {1,2}Esc stop the run\n/);
    key("n");
    await shows(ending("Refunded it."));
    resize(80, 24);
    await shows(new RegExp(`\n${"─".repeat(80)}\n`));
    expect(screen().match(/漢/g)).toHaveLength(60);
  });

  test("has no colours with NO_COLOR, and shows control characters of the model and tools as escapes", async () => {
    const { chat } = await openChatStage();
    const plain = await chat([], { environment: { NO_COLOR: "1" } });
    plain.type("spoof");
    const shown = await plain.shows(ending(String.raw`Not \\u\{1b\}\[31mred\\u\{1b\}\[0m\.`));
    expect(shown).toContain("> spoof");
    expect(shown).toContain(String.raw`  \u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}right\u{1b}[31m red`);
    expect(plain.colours()).not.toMatch(sequence("(?:1|2|3[0-7]|9[0-7])")); // the cursor is shown in inverse, which is not a colour
    const coloured = await chat();
    coloured.type("spoof");
    await coloured.shows(ending(String.raw`Not \\u\{1b\}\[31mred\\u\{1b\}\[0m\.`));
    expect(coloured.colours()).toMatch(sequence("(?:0;)?1", ".*> spoof"));
  });

  test("reports an error that a tool throws outside its call, and continues", async () => {
    const { chat } = await openChatStage();
    const { type, shows } = await chat();
    type("stray");
    await shows(ending("Strayed."));
    await shows(/A tool failed outside its call: too late \(tools\.ts:\d+:\d+\)/);
    type("Thanks");
    await shows(ending("You are welcome."));
  });

  test("continues a session that is chosen from a list, on the real Claude Code with a rehearsed model", async () => {
    const { chat, project, environment } = await openChatStage();
    const first = await chat();
    first.type("Thanks");
    await first.shows(ending("You are welcome."));
    first.type("/exit");
    await first.shows("Ended with 0.");
    const rehearsed = ["--backend", "claude-code", "--rehearse", "rehearsal.yaml"];
    const words = ["chat", "--tools", "tools.ts", ...rehearsed, "--resume"];
    const { type, shows } = openTerminal(words, { cwd: project, environment });
    await shows(/^1\. ses_\w+ {2}.*1 run, anthropic first-model\n {2}Thanks\nNumber/);
    await pause(300);
    type("1");
    await shows(/> Thanks\n\nYou are welcome\.\n\nContinue the conversation, /);
    type("Where is my order?");
    await shows(/> Where is my order\?\n[^>]*The model "first-model" cannot be used/);
    type("/model sonnet");
    await shows("The next runs use sonnet.");
    type("Where is my order?");
    const shown = await shows(/1,\d{3} tokens · claude-code/, { history: true });
    expect(shown).toMatch(/✓ lookup_order \d+ ms \{"id":"A-1"\}\n/);
  });

  test("exits after Ctrl-C twice or a signal, and restores the terminal", async () => {
    const { chat } = await openChatStage();
    const first = await chat();
    first.key("h", "i", "C-c");
    await first.shows("Ctrl-C again leaves.");
    await first.shows(/─\n\n─/);
    first.type("Thanks");
    await first.shows(ending("You are welcome."));
    await pause(2100);
    first.key("C-c");
    await first.shows("Ctrl-C again leaves.");
    first.key("C-c");
    const shown = await first.shows("Ended with 0.");
    expect(shown).toMatch(/To resume: bridle chat --tools tools\.ts --resume ses_\w+\n/);
    expect(await first.shows(/icanon/)).toMatch(/\nicanon echo\b/);
    const second = await chat(["--continue"]);
    second.type("stall");
    await second.shows("One moment");
    process.kill(second.pid(), "SIGTERM");
    await second.shows("Ended with 143.");
    expect(await second.shows(/icanon/)).toMatch(/\nicanon echo\b/);
  });

  test("ends with one sentence and exit code 4 if the host refuses the credentials", async () => {
    const { chat } = await openChatStage();
    const { type, shows } = await chat();
    type("locked");
    expect(await shows("Ended with 4.")).toMatch(
      /^> locked\n\nThe backend anthropic refused the credentials: [^─]*\n\nEnded/m,
    );
  });
});

describe.skipIf(!hasTmux)("a chat with an agent (needs tmux)", () => {
  test("uses agent.yaml of the folder: its name, its tools by kind, and its rules", async () => {
    const { project, environment } = await openChatStage();
    await writeFile(
      join(project, "agent.yaml"),
      `name: order-desk
instructions: { inline: Be brief. }
tools: [{ type: function, name: lookup_order, file: own.ts, function: lookupOrder }]
policy: { mode: normal, rules: [{ tool: lookup_order, then: ask }] }
`,
    );
    await writeFile(join(project, "own.ts"), 'import tools from "./tools.ts";\nexport const lookupOrder = tools[0];\n');
    const { type, shows, key } = openTerminal(["chat"], { cwd: project, environment, rows: 40 });
    await shows("order-desk. Type a prompt");
    type("Where is my order?");
    await shows("│ rule: rules[0]");
    await untilReadable();
    key("y");
    await shows(/1,\d{3} tokens/);
    type("/tools");
    await shows("lookup_order  Find one order by its number. (function, read-only)");
    type("/policy");
    await shows(/lookup_order +ask/);
    type("/exit");
    expect(await shows("Ended with 0.")).toMatch(/To resume: bridle chat --resume ses_\w+\n/);
  });
});

describe.skipIf(!hasTmux)("a slash command in a chat (needs tmux)", () => {
  test("lists tools, rules, costs and sessions, and an unknown command is refused", async () => {
    const { chat } = await openChatStage();
    const { type, shows, key } = await chat([], { rows: 60 });
    type("refund");
    await shows("? Run refund (may destroy data, outside of this machine too)?");
    await untilReadable();
    key("s");
    await shows(ending("Refunded it."));
    type("/help");
    await shows(/\/bundle \[FILE\] +export this session to a single file/);
    type("/tools");
    await shows(/refund +Give money back\. \(destructive, open world\)/);
    type("/policy");
    await shows(
      new RegExp(
        `Mode normal\\n[\\s\\S]*tools marked destructive +ask\\n[\\s\\S]*refund +allow, remembered for session, by ${userInfo().username}`,
      ),
    );
    type("/cost");
    await shows(/ +Tokens +In +Cached +Out +Cost +Steps +Time +Model\nRun 1 +\d+ +\d+ +0 +\d+ +2 /);
    type("/sessions");
    await shows(/ses_\w+ {2}.*1 run, anthropic first-model\n {2}refund\n/);
    type("/tols");
    await shows('Unknown command "/tols". Did you mean "/tools"?');
  });

  test("switches the model, compacts, starts a new session, writes a bundle and exits", async () => {
    const { chat, told, bridle, model } = await openChatStage();
    const { type, shows, screen } = await chat([], { rows: 60 });
    type("Thanks");
    await shows(ending("You are welcome."));
    type("/model");
    await shows(
      /Model +Context +Input\/output\nfirst-model .*\n(.*\n)*second-model .*\n(.*\n)*\/model NAME changes the model/,
    );
    type("/model second-modle");
    await shows('anthropic has no model "second-modle". Did you mean "second-model"?');
    type("/model second-model");
    await shows("The next runs use second-model.");
    type("Where is my order?");
    await shows(/1,\d{3} tokens/);
    expect(model.requests.at(-1)?.body).toMatchObject({ model: "second-model" });
    expect(told()).toContain("Thanks");
    type("/compact");
    await shows(/cannot shorten this session|Compacted/);
    type("/bundle told.tar.gz");
    await shows("Written: told.tar.gz.");
    expect((await bridle("bundle", "--check", "told.tar.gz")).code).toBe(0);
    const [id] = /ses_\w+$/m.exec(screen()) ?? [];
    type("/new");
    await shows(new RegExp(`/sessions ${id}\\sreturns to`));
    type("Hello");
    await shows(/> Hello\n\nYou are welcome\./);
    expect(told()).not.toContain("Where is my order?");
    type("/exit");
    await shows("Ended with 0.");
  });
});

describe.skipIf(!hasTmux)("the input line of a chat with a list of completions (needs tmux)", () => {
  test("sends what it shows when keys come in bursts", async () => {
    const bursts: readonly [what: string, before: readonly string[], burst: readonly string[], sent: string][] = [
      [
        "Tab, a cleared line and another command in one burst",
        [],
        [..."/se", "Tab", "C-u", ..."/cost", "Enter"],
        "/cost",
      ],
      ["a cleared line and another command", [..."/se"], ["C-u", ..."/new", "Enter"], "/new"],
      ["a completed command that is cleared", [..."/se", "Tab"], ["C-u", ..."/cost", "Enter"], "/cost"],
      ["a prompt instead of the command", [..."/ex"], ["C-u", ..."Thanks", "Enter"], "Thanks"],
      ["more letters", [..."/se"], [..."nd", "Enter"], "/send"],
      ["fewer letters", [..."/se"], ["BSpace", "BSpace", ..."cost", "Enter"], "/cost"],
      ["another selected entry", [..."/s", "Down"], ["C-u", ..."/policy", "Enter"], "/policy"],
    ];
    const { chat } = await openChatStage();
    const { key, shows } = await chat([], { rows: 100 });
    const prompts: string[] = [];
    for (const [what, before, burst, sent] of bursts) {
      if (before.length > 0) {
        key(...before);
        await shows(/\n.*\/(?:sessions|exit) .*\n/);
      }
      key(...burst);
      prompts.push(`> ${sent}`);
      const shown = await shows(new RegExp(`(?:^> [\\s\\S]*){${prompts.length}}`, "m"));
      expect(shown.match(/^> .*/gm), what).toEqual(prompts);
    }
  });

  test("sends pasted text as it is, after a command with a list", async () => {
    const { chat } = await openChatStage();
    const { key, paste, shows } = await chat();
    key(..."/ex");
    await shows("/exit");
    key("C-u");
    paste("Thanks");
    key("Enter");
    await shows(ending("You are welcome."));
  });

  test("completes a command with Tab, and sends the completed command", async () => {
    const { chat } = await openChatStage();
    const { key, shows } = await chat();
    key(..."/cos");
    await shows("show the tokens and cost");
    key("Tab");
    await shows(/─\n\/cost\s*\n/);
    key("Enter");
    await shows(/^> \/cost$/m);
  });
});

describe.skipIf(!hasTmux)("the habits of other chats (needs tmux)", () => {
  test("a mentioned file is shown and sent only if the user agrees, and a shell command is not sent", async () => {
    const { chat, project, told } = await openChatStage();
    await writeFile(join(project, "notes.md"), "The parrot is blue.\n");
    const { type, shows, key } = await chat();
    type("Thanks for @notes.md.");
    await shows("? Send this file to the model?\n│ notes.md (text, 1 line)\n  y send them\n  n send only the text");
    await untilReadable();
    key("y");
    await shows(/> Thanks for @notes\.md\.\n {2}\[file: notes\.md\]\n\nYou are welcome\./);
    expect(told()).toContain("The parrot is blue.");
    type("Thanks, not @notes.md");
    await shows("? Send this file to the model?");
    await untilReadable();
    key("Down", "Down", "Enter");
    await shows(/> Thanks, not @notes\.md\n\nYou are welcome\./);
    type("!ls");
    await shows("A chat runs no shell commands");
    await shows(/─\n!ls\n─/);
  });

  test("Ctrl-C stops a run and the chat stays, and arrows choose the answer to a question", async () => {
    const { chat, project } = await openChatStage();
    const { type, shows, key } = await chat();
    type("stall");
    await shows("One moment");
    key("C-c");
    await shows("The run was stopped: Ctrl-C was pressed.");
    type("refund");
    await shows("? Run refund (may destroy data");
    await untilReadable();
    key("Enter");
    await untilReadable();
    key("Down");
    await shows("› y yes, once");
    key("Enter");
    await shows(ending("Refunded it."));
    expect(await readFile(join(project, "effects"), "utf8")).toBe("A-1 5\n");
  });

  test("/resume chooses a session with arrows, and prompts of other sessions are in the history", async () => {
    const { chat } = await openChatStage();
    const { type, shows, key } = await chat();
    type("Thanks a lot");
    await shows(ending("You are welcome."));
    type("/clear");
    await shows("A new session: ses_");
    const second = await chat();
    second.key("Up");
    await second.shows(/─\nThanks a lot\n─/);
    second.key("C-u", "C-r", ..."lot");
    await second.shows("Search in earlier prompts: lot (Enter takes it");
    second.key("Enter");
    await second.shows(/─\nThanks a lot\n─/);
    second.key("C-u");
    second.type("/resume");
    await second.shows(/\? Which session\?\n› 1 .* 1 run +Thanks a lot\n/);
    await untilReadable();
    second.key("Enter");
    await second.shows(/Resumed the session ses_\w+/);
    key("C-u");
    type("/context");
    await shows(/Window +not known before the first answer\nConversation +0 messages/);
  });

  test("says that it is rehearsed, and writes exports and bundles into the project's own folder", async () => {
    const { project, environment } = await openChatStage();
    const { type, shows } = openTerminal(["chat", "--rehearse", "rehearsal.yaml"], { cwd: project, environment });
    await shows(/Rehearsed: the answers come from rehearsal\.yaml, not from a model\./);
    await shows(/\nrehearsed · 0 tokens/);
    type("Thanks");
    await shows(ending("You are welcome."));
    type("/export");
    const [, file = ""] = /Written: (\S+\.md)\./.exec(await shows(/Written: \.bridle\/exports\/ses_\w+\.md\./)) ?? [];
    expect(await readFile(join(project, file), "utf8")).toMatch(
      /## User\n\n> Thanks\n\n## Model\n\n> You are welcome\.\n$/,
    );
    type("/bundle");
    await shows(/Written: \.bridle\/bundles\/bridle-ses_\w+\.tar\.gz\./);
  });
});
