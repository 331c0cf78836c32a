import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { ConfigError, type FolderEffect, TrustedFolder } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { readProgram } from "./start-programs.ts";

const whereAmI = [process.execPath, ["-p", "process.cwd()"]] as const;

test("a program that needs no trust starts outside of the folder that the person is in", async () => {
  expect((await readProgram("process-list", whereAmI)).trim()).toBe(parse(process.execPath).root);
});

test("a program of a trusted folder starts in the folder that is given", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "bridle-programs-")));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const trusted = await TrustedFolder.require(undefined, []);
  expect((await readProgram(trusted, whereAmI, { cwd })).trim()).toBe(cwd);
});

test("there is no proof for files that are not trusted", async () => {
  const effect: FolderEffect = { kind: "runs", subject: "x", field: "tools.0", content: "x" };
  const refuse = async () => {
    throw new ConfigError("The folder is not trusted.", { field: "trust" });
  };
  const trust = { check: async () => [], require: refuse };
  const proof = TrustedFolder.require(trust, [{ path: "/clone/agent.yaml", effects: [effect] }]);
  await expect(proof).rejects.toThrow("The folder is not trusted.");
});

test("plain JavaScript that passes another word than those on the list starts nothing", async () => {
  const word: string = "anything";
  // @ts-expect-error: neither a proof nor a program on the list
  await expect(readProgram(word, whereAmI)).rejects.toThrow('"anything" is not a program that may start');
});
